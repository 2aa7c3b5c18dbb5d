// Scripts that run inside a page. They are strings, because they use globals that exist only in a page.

/**
 * Runs before the page's own scripts. Counts posted messages and fetches, and records when the page was last active. React schedules its
 * next piece of work by posting a message to itself, so a page that renders endlessly posts endlessly, even on a slow machine.
 */
export const WATCH_SCRIPT = `(() => {
  const seen = { posts: 0, asked: {}, pending: 0, at: performance.now() }
  const touch = () => { seen.at = performance.now() }
  const post = MessagePort.prototype.postMessage
  MessagePort.prototype.postMessage = function (...given) {
    seen.posts++
    touch()
    return post.apply(this, given)
  }
  const ask = globalThis.fetch
  globalThis.fetch = async (...given) => {
    const url = String(given[0]?.url ?? given[0])
    seen.asked[url] = (seen.asked[url] ?? 0) + 1
    seen.pending++
    touch()
    try {
      return await ask(...given)
    } finally {
      seen.pending--
      touch()
    }
  }
  // A WebSocket that never opens, because a check does not inspect live updates.
  globalThis.WebSocket = class extends EventTarget {
    static CONNECTING = 0; static OPEN = 1; static CLOSING = 2; static CLOSED = 3
    readyState = 0
    send() {}
    close() {}
  }
  new MutationObserver(touch).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  Object.defineProperty(globalThis, '__seen', { value: seen })
})()`

/** Navigates to another page of the loaded app as the app's links do. Loading the scripts again would take ten times as long. */
export const followLink = (address: string): string => `(() => {
  Object.assign(globalThis.__seen, { posts: 0, asked: {}, at: performance.now() })
  history.pushState(null, '', ${JSON.stringify(address)})
  dispatchEvent(new PopStateEvent('popstate'))
})()`

/** Resolves to `{ state, url }` when the page is idle (`quiet`), renders or fetches in a loop (`endless`), or takes too long (`late`). */
export const SETTLE_SCRIPT = `new Promise((resolve) => {
  const seen = globalThis.__seen
  const begun = performance.now()
  const look = () => {
    const now = performance.now()
    const [most] = Object.entries(seen.asked).sort((a, b) => b[1] - a[1])
    if (most?.[1] > 40) return resolve({ state: 'endless', url: most[0] })
    if (seen.posts > 100) return resolve({ state: 'endless', url: null })
    if (document.readyState === 'complete' && seen.pending === 0 && now - seen.at > 50)
      return resolve({ state: 'quiet', url: null })
    if (now - begun > (seen.posts > 30 || most?.[1] > 10 ? 6000 : 1500)) return resolve({ state: 'late', url: null })
    setTimeout(look, 20)
  }
  look()
})`

/** Functions that the other scripts share: one describes an element, one returns whether an element is visible. */
const ELEMENT_SCRIPT = `
  const ATTRIBUTES = ['id', 'type', 'name', 'placeholder', 'href', 'src', 'role', 'aria-label', 'class']
  const describe = (el) => {
    const kept = ATTRIBUTES.filter((name) => el.hasAttribute(name)).slice(0, 2)
    const tag = [el.localName, ...kept.map((name) => name + '="' + el.getAttribute(name).slice(0, 40) + '"')].join(' ')
    const text = (el.innerText ?? '').replace(/\\s+/g, ' ').trim().slice(0, 40)
    return '<' + tag + '>' + (text === '' ? '' : ' “' + text + '”')
  }
  const isShown = (el) => {
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { width, height } = el.getBoundingClientRect()
    return width > 1 && height > 1
  }
`

/**
 * Returns the faults that axe does not find, at the current width of the page: `{ sideways, tiny, covered, cut, trap,
 * primaries, links }`.
 */
export const INSPECT_SCRIPT = `(() => {
  ${ELEMENT_SCRIPT}
  const FOUND_MAX = 3
  const root = document.documentElement
  const width = root.clientWidth
  const all = [...document.body.querySelectorAll('*')]
  const found = { sideways: null, tiny: [], covered: [], cut: [], trap: null, primaries: [], links: [] }

  const clips = (el) => getComputedStyle(el).overflowX !== 'visible'
  const isHeld = (el) => {
    for (let at = el.parentElement; at !== null && at !== document.body && at.localName !== 'main'; at = at.parentElement)
      if (clips(at)) return true
    return false
  }
  const main = document.querySelector('main')
  const excess = Math.max(root.scrollWidth - width, main === null ? 0 : main.scrollWidth - main.clientWidth)
  if (excess > 1) {
    const edge = main !== null && main.scrollWidth - main.clientWidth > 1 ? main.getBoundingClientRect().right : width
    const rights = all
      .filter((el) => isShown(el) && !isHeld(el))
      .map((el) => ({ el, right: el.getBoundingClientRect().right }))
      .filter(({ right }) => right > edge + 1)
    const most = Math.max(...rights.map(({ right }) => right))
    // Several elements may reach furthest to the right. Report the last of them in document order, which is usually the innermost.
    const el = rights.findLast(({ right }) => right >= most - 1)?.el
    found.sideways = {
      element: el === undefined ? describe(main ?? document.body) : describe(el),
      elementWidth: Math.round((el ?? root).getBoundingClientRect().width),
      excess: Math.round(excess),
    }
  }

  const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=switch]'
  for (const el of document.body.querySelectorAll(CONTROLS)) {
    if (!isShown(el) || el.disabled) continue
    const label = el.labels?.[0]
    const box = el.getBoundingClientRect()
    const target = label === undefined ? box : label.getBoundingClientRect()
    const isInText = el.localName === 'a' && getComputedStyle(el).display === 'inline'
    const side = Math.round(Math.min(Math.max(box.width, target.width), Math.max(box.height, target.height)))
    if (!isInText && side < 24) found.tiny.push({ element: describe(el), side })
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    const top = x < 0 || y < 0 || x >= width || y >= root.clientHeight ? null : document.elementFromPoint(x, y)
    const isReached = top === null || el.contains(top) || top.contains(el) || top.closest('label')?.control === el
    if (!isReached) found.covered.push({ element: describe(el), by: describe(top) })
  }

  for (const el of all) {
    if (!isShown(el) || ![...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(el)
    // An ellipsis shows that the text is cut on purpose.
    if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') continue
    const isHidden = (how) => how === 'hidden' || how === 'clip'
    const isCut =
      (isHidden(overflowX) && el.scrollWidth > el.clientWidth + 1) ||
      (isHidden(overflowY) && el.scrollHeight > el.clientHeight + 2)
    if (isCut && el.clientWidth > 1 && el.clientHeight > 1) found.cut.push(describe(el))
  }

  const primaries = [...document.querySelectorAll('.button-primary')].filter((el) => isShown(el) && el.closest('dialog') === null)
  if (primaries.length > 1) found.primaries = primaries.slice(0, FOUND_MAX).map(describe)
  const own = [...document.querySelectorAll('a[href]')].filter((el) => el.origin === location.origin && isShown(el))
  found.links = own.slice(0, 100).map((el) => ({ element: describe(el), path: el.pathname }))
  for (const kind of ['tiny', 'covered', 'cut']) found[kind] = found[kind].slice(0, FOUND_MAX)

  // This inspection comes last, because its key events may change the page. Only a dialog may trap the focus.
  const isKept = (el) =>
    !el.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', code: 'Tab', bubbles: true, cancelable: true }))
  const trap = [...document.body.querySelectorAll(CONTROLS + ', [contenteditable]')].find(
    (el) => isShown(el) && !el.disabled && el.closest('dialog, [role=dialog], [role=alertdialog]') === null && isKept(el),
  )
  if (trap !== undefined) found.trap = describe(trap)
  return found
})()`

/** Runs axe, which must be loaded, and returns `{ rule, help, element, contrast }` of each serious violation. */
export const AXE_SCRIPT = `(async () => {
  ${ELEMENT_SCRIPT}
  const { violations } = await axe.run(
    { exclude: [['iframe']] },
    {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
      resultTypes: ['violations'],
      elementRef: true,
      selectors: false,
      preload: false,
    },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.slice(0, 5).map(({ element, html, any }) => {
        const { contrastRatio, expectedContrastRatio } = any[0]?.data ?? {}
        return {
          rule: id,
          help,
          element: element?.isConnected ? describe(element) : html.slice(0, 80),
          contrast: contrastRatio === undefined ? null : [String(contrastRatio), String(expectedContrastRatio)],
        }
      }),
    )
})()`
