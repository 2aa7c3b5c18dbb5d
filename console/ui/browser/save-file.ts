/** Saves bytes as a file on the user's machine, as a download does. */
export function saveFile(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Release the URL in the next task, when the browser has read it.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
