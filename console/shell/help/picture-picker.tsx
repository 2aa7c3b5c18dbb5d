import { ImageIcon, XIcon } from '@phosphor-icons/react'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type HelpPicture, PICTURE_LIMITS, uploadPicture } from '../../api/organization/help.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { formatSize } from '../../lib/format.ts'

const UPLOAD_KEY = ['help-picture']

/** True while a picture is being uploaded. A message sent now would lack this picture. */
export const usePictureUpload = () => useIsMutating({ mutationKey: UPLOAD_KEY }) > 0

/**
 * The screenshots of a message. A screenshot is uploaded when it is chosen, and others see it only after the
 * message is sent.
 */
export function PicturePicker(props: {
  pictures: readonly HelpPicture[]
  onChange: (pictures: HelpPicture[]) => void
}) {
  const { pictures, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const upload = useMutation({
    mutationKey: UPLOAD_KEY,
    mutationFn: uploadPicture,
    onSuccess: (picture) => onChange([...pictures, picture]),
  })
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    const wrong = problemOfPicture(file)
    setProblem(wrong)
    if (wrong === null) upload.mutate(file)
  }
  return (
    <div className="space-y-2">
      <p className="font-medium text-kumo-default">{words.pictures}</p>
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {pictures.map((picture) => (
          <li
            key={picture.id}
            className="flex max-w-full items-center gap-2 rounded-lg bg-kumo-tint py-1 pr-1 pl-2.5 text-[13px]"
          >
            <span className="min-w-0 truncate">{picture.name}</span>
            <span className="shrink-0 text-kumo-subtle">{formatSize(picture.size)}</span>
            <Button
              size="sm"
              variant="ghost"
              shape="square"
              icon={<XIcon />}
              aria-label={words.remove(picture.name)}
              onClick={() => onChange(pictures.filter(({ id }) => id !== picture.id))}
            />
          </li>
        ))}
      </ul>
      <input
        ref={input}
        type="file"
        accept={PICTURE_LIMITS.types.join(',')}
        aria-label={words.add}
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0])
          // Clear the value: choosing a removed file again would otherwise fire no event.
          currentTarget.value = ''
        }}
      />
      {pictures.length < PICTURE_LIMITS.max && (
        <Button
          size="sm"
          type="button"
          icon={<ImageIcon />}
          loading={upload.isPending}
          onClick={() => input.current?.click()}
        >
          {words.add}
        </Button>
      )}
      <p className="text-[13px] text-kumo-subtle">{words.picturesHint}</p>
      {problem !== null && (
        <p role="alert" className="text-[13px] text-removed">
          {problem}
        </p>
      )}
      {upload.isError && problem === null && <FailureNote title={words.pictureFailed} error={upload.error} />}
    </div>
  )
}

function problemOfPicture(file: File): string | null {
  if (!PICTURE_LIMITS.types.some((type) => type === file.type)) return words.wrongType(file.name)
  return file.size > PICTURE_LIMITS.bytesMax ? words.tooLarge(file.name) : null
}
