import { type DragEvent, useEffect, useState } from 'react'

/**
 * Returns the handlers of an element that accepts files. While the element is mounted, dropping a file beside it does not open the file in
 * place of the page.
 */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // The window gets the event last. If another element accepts the file, that element has already called `preventDefault`.
    const refuse = (event: globalThis.DragEvent) => {
      const { dataTransfer } = event
      if (event.defaultPrevented || dataTransfer === null || !dataTransfer.types.includes('Files')) return
      event.preventDefault()
      dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      onFiles([...event.dataTransfer.files])
    },
  }
  return { isOver, handlers }
}
