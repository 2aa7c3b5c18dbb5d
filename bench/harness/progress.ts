/** Prints progress to stderr; stdout is for the figures. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
