/** Copies text to the clipboard. Rejects when the browser or the person does not allow it. */
export const copyText = (text: string): Promise<void> => navigator.clipboard.writeText(text)

/** Saves text as a file on the person's device. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
