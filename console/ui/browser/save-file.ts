/** Hands bytes to the browser's own download. */
export function saveFile(name: string, bytes: Blob): void {
  const url = URL.createObjectURL(bytes)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken hold of the bytes by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
