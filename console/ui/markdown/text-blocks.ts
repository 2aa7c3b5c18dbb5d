/** The length of a block, about a screen of text. Only the last block is laid out again with each word. */
const BLOCK_CHARS = 2000

/** Splits a long text at line ends. When text is added at the end, only the last block changes. */
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
