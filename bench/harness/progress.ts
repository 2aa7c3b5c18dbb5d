/** Tells the person at the terminal what is going on; stdout stays for the figures. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`)
}
