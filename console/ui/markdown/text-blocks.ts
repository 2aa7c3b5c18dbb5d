/** About a screen of prose: what is laid out anew with each word stays that small, however long the text grows. */
const BLOCK_CHARS = 2000

/** Cuts a long text at ends of lines; while it grows at its end, every block but the last stays what it is. */
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
