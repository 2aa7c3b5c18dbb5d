/** Runs inside the page and returns its content as Markdown. */
export const markdownSource = `(() => {
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD'])
  const squeeze = (text) => text.replace(/\\s+/g, ' ')
  const children = (node) => [...node.childNodes].map(write).join('')
  const block = (text) => '\\n\\n' + text.trim() + '\\n\\n'
  const listItem = (item, mark) => mark + children(item).trim().replace(/\\n+/g, '\\n  ')
  const row = (line) => '| ' + [...line.children].map((cell) => squeeze(children(cell)).trim()).join(' | ') + ' |'
  const writers = {
    BR: () => '\\n',
    HR: () => block('---'),
    P: (node) => block(children(node)),
    STRONG: (node) => '**' + children(node).trim() + '**',
    B: (node) => '**' + children(node).trim() + '**',
    EM: (node) => '_' + children(node).trim() + '_',
    I: (node) => '_' + children(node).trim() + '_',
    CODE: (node) => '\`' + node.textContent + '\`',
    PRE: (node) => block('\`\`\`\\n' + node.textContent.trimEnd() + '\\n\`\`\`'),
    BLOCKQUOTE: (node) => block(children(node).trim().replace(/^/gm, '> ')),
    A: (node) => (node.href ? '[' + squeeze(children(node)).trim() + '](' + node.href + ')' : children(node)),
    IMG: (node) => (node.src.startsWith('data:') ? '' : '![' + node.alt + '](' + node.src + ')'),
    UL: (node) => block([...node.children].map((item) => listItem(item, '- ')).join('\\n')),
    OL: (node) => block([...node.children].map((item, i) => listItem(item, i + 1 + '. ')).join('\\n')),
    TABLE: (node) => {
      const [head, ...rows] = [...node.rows]
      if (head === undefined) return ''
      return block([row(head), '|' + ' --- |'.repeat(head.children.length), ...rows.map(row)].join('\\n'))
    },
  }
  const BLOCKS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN', 'HEADER', 'FOOTER', 'NAV', 'ASIDE', 'FORM', 'FIGURE'])
  function write(node) {
    if (node.nodeType === Node.TEXT_NODE) return squeeze(node.data)
    if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName.toUpperCase())) return ''
    const heading = /^H([1-6])$/.exec(node.tagName)
    if (heading !== null) return block('#'.repeat(Number(heading[1])) + ' ' + squeeze(children(node)).trim())
    const writer = writers[node.tagName]
    if (writer !== undefined) return writer(node)
    return BLOCKS.has(node.tagName) ? block(children(node)) : children(node)
  }
  return write(document.body).replace(/[ \\t]+\\n/g, '\\n').replace(/\\n{3,}/g, '\\n\\n').trim() + '\\n'
})()`
