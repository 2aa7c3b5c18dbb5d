import { ArrowUpIcon } from '@phosphor-icons/react'
import { type Ref, useId } from 'react'
import { isComposing } from '../browser/composing.ts'
import { Button } from './button.tsx'

export interface SentenceBoxProps {
  label: string
  placeholder: string
  submit: string
  value: string
  onChange: (value: string) => void
  onSubmit: () => void
  busy?: boolean
  /** `lg` as the main part of a page, `sm` at the end of a pane. */
  size: 'lg' | 'sm'
  hint?: string
  ref?: Ref<HTMLTextAreaElement>
}

/**
 * A field for one sentence. Enter sends it, Shift+Enter adds a line. The field grows with its text. It has no maximum length: a browser
 * would cut off a long pasted text without notice, whereas the service returns an error.
 */
export function SentenceBox(props: SentenceBoxProps) {
  const id = useId()
  const { size, value, busy = false } = props
  const submit = () => {
    if (!busy && value.trim() !== '') props.onSubmit()
  }
  const large = size === 'lg'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className={`group relative bg-kumo-control ring-1 ring-kumo-line transition-shadow focus-within:ring-2 focus-within:ring-kumo-focus ${large ? 'rounded-2xl shadow-[0_1px_2px_rgb(0_0_0/0.04),0_12px_32px_-16px_oklch(0.35_0.07_222/0.35)]' : 'rounded-xl'}`}
    >
      <label htmlFor={id} className="sr-only">
        {props.label}
      </label>
      <textarea
        id={id}
        ref={props.ref}
        rows={large ? 3 : 1}
        value={value}
        placeholder={props.placeholder}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
          event.preventDefault()
          submit()
        }}
        className={`block w-full resize-none [field-sizing:content] bg-transparent text-kumo-default outline-none placeholder:text-kumo-placeholder ${large ? 'max-h-72 min-h-28 px-5 pt-4 pb-16 text-[17px] leading-relaxed' : 'max-h-40 min-h-11 pointer-coarse:min-h-12 py-2.5 pr-12 pl-3.5'}`}
      />
      {large ? (
        <div className="absolute inset-x-0 bottom-0 flex items-center justify-between gap-3 px-3 pb-3">
          <p id={`${id}-hint`} className="truncate pl-2 text-xs text-kumo-subtle max-sm:invisible">
            {props.hint}
          </p>
          <Button type="submit" variant="primary" loading={busy} icon={<ArrowUpIcon weight="bold" />}>
            {props.submit}
          </Button>
        </div>
      ) : (
        <Button
          type="submit"
          variant={value.trim() === '' ? 'ghost' : 'primary'}
          shape="square"
          size="sm"
          loading={busy}
          className="absolute right-2 bottom-2 pointer-coarse:right-0.5 pointer-coarse:bottom-0.5"
          aria-label={props.submit}
          title={props.submit}
          icon={<ArrowUpIcon weight="bold" />}
        />
      )}
    </form>
  )
}
