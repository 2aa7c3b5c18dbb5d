import { UploadSimpleIcon } from '@phosphor-icons/react'
import { type DragEvent, useRef, useState } from 'react'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'

/** False for text and links, which the browser drops into the field of the folder. */
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

export function DropZone({ onFiles }: { onFiles: (files: File[], folder: string) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const [folder, setFolder] = useState('')
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files], folder)
  }
  return (
    <section
      aria-label={cloudText.assets.dropTitle}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`grid items-center gap-x-6 gap-y-4 rounded-xl border border-dashed p-5 sm:grid-cols-[1fr_16rem] ${isOver ? 'border-tide bg-tide-tint' : 'border-kumo-interact bg-kumo-base'}`}
    >
      <div className="flex items-start gap-3.5">
        <span
          className="grid size-10 shrink-0 place-items-center rounded-xl bg-tide-tint text-tide ring-1 ring-tide-line"
          aria-hidden="true"
        >
          <UploadSimpleIcon className="size-5" />
        </span>
        <div className="min-w-0 space-y-2">
          <div>
            <h2 className="font-medium text-kumo-strong">{cloudText.assets.dropTitle}</h2>
            <p className="text-[13px] text-kumo-subtle">{cloudText.assets.dropHint}</p>
          </div>
          <Button variant="primary" onClick={() => picker.current?.click()}>
            {cloudText.assets.choose}
          </Button>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label={cloudText.assets.choose}
            onChange={(event) => {
              onFiles([...(event.target.files ?? [])], folder)
              // Clear the value: choosing the same file again would otherwise fire no event.
              event.target.value = ''
            }}
          />
        </div>
      </div>
      <TextField
        label={cloudText.assets.folder}
        description={cloudText.assets.folderHint}
        value={folder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setFolder(event.target.value)}
      />
    </section>
  )
}
