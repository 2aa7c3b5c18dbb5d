import { PaperclipIcon } from '@phosphor-icons/react'
import { type Ref, useRef } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { MEDIA_TYPES } from './attachment-check.ts'

/** Picks files of the types that models can read. */
export function FilePicker(props: {
  label: string
  /** Text beside the icon. Without it the icon gets `label` as its accessible name. */
  words?: string
  ref?: Ref<HTMLButtonElement>
  onFiles: (files: File[]) => void
}) {
  const picker = useRef<HTMLInputElement>(null)
  const { label, words } = props
  const choose = () => picker.current?.click()
  return (
    <>
      {words === undefined ? (
        <Button
          type="button"
          variant="ghost"
          shape="square"
          aria-label={label}
          title={label}
          icon={<PaperclipIcon />}
          onClick={choose}
        />
      ) : (
        <Button
          ref={props.ref}
          type="button"
          variant="ghost"
          size="sm"
          icon={<PaperclipIcon />}
          onClick={choose}
        >
          {words}
        </Button>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={MEDIA_TYPES.join(',')}
        aria-label={label}
        onChange={(event) => {
          props.onFiles([...(event.target.files ?? [])])
          // Clear the value: choosing the same file again would otherwise fire no event.
          event.target.value = ''
        }}
      />
    </>
  )
}
