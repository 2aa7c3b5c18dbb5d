import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldFrame, type FieldProps } from '../../ui/fields/field-frame.tsx'
import { fileLink, type FileLocation } from '../../data/file-link.ts'
import { files } from '../client.ts'

export interface FileFieldProps extends FieldProps {
  value: string | null
  onChange: (value: string | null) => void
  /** The record field that contains the file now; null in a form for a new record. */
  place: FileLocation | null
}

type UploadState =
  | { state: 'none' }
  | { state: 'sending'; share: number }
  | { state: 'failed'; reason: string }

/** A form field for a file. Uploads the chosen file at once; the form then stores its id. */
export function FileField({ value, onChange, place, error, ...frame }: FileFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [upload, setUpload] = useState<UploadState>({ state: 'none' })
  /** Known only for a file that was chosen here, because a record does not store file names. */
  const [name, setName] = useState<string | null>(null)
  const [stored] = useState(value)

  const uploadFile = async (file: File | undefined) => {
    if (file === undefined) return
    setUpload({ state: 'sending', share: 0 })
    try {
      const { id } = await files.upload(file, {
        onProgress: (share) => setUpload({ state: 'sending', share }),
      })
      setName(file.name)
      setUpload({ state: 'none' })
      onChange(id)
    } catch (thrown) {
      setUpload({ state: 'failed', reason: thrown instanceof Error ? thrown.message : String(thrown) })
    }
    // Cleared, so that choosing the same file again fires a change event.
    if (input.current !== null) input.current.value = ''
  }

  const removeFile = () => {
    setName(null)
    setUpload({ state: 'none' })
    onChange(null)
    input.current?.focus()
  }

  const isSending = upload.state === 'sending'
  return (
    <FieldFrame {...frame} error={upload.state === 'failed' ? upload.reason : error}>
      {(control) => (
        <>
          <input
            {...control}
            ref={input}
            className="file-input"
            type="file"
            data-chosen={value !== null}
            // The browser's own check sees only a newly chosen file, so switch it off when the record already has a file.
            required={control.required && value === null}
            disabled={isSending}
            aria-busy={isSending}
            onChange={({ target }) => void uploadFile(target.files?.[0])}
          />
          <p className="file-chosen" role="status">
            {isSending && `Uploading: ${Math.round(upload.share * 100)} %`}
            {!isSending && value !== null && (
              <>
                {value === stored && place !== null ? (
                  <a href={fileLink(place)} target="_blank" rel="noopener">
                    Open the file
                  </a>
                ) : (
                  <span>{name ?? 'A file is chosen'}</span>
                )}
                <Button onClick={removeFile}>Remove file</Button>
              </>
            )}
          </p>
        </>
      )}
    </FieldFrame>
  )
}
