/** About a screen of prose: the part that is laid out again with each word, however long the text is. */
const BLOCK_CHARS = 2000

/** Splits a long text at line ends. While text is appended, every block but the last stays the same. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let start = 0
  for (;;) {
    const newline = text.indexOf('\n', start + BLOCK_CHARS)
    if (newline === -1) break
    blocks.push(text.slice(start, newline + 1))
    start = newline + 1
  }
  return [...blocks, text.slice(start)]
}
