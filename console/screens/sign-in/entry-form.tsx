import type { ReactNode } from 'react'
import { signInText } from '../../text/sign-in.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { formatDuration } from '../../lib/format.ts'
import { PageHeading } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useCountdown } from '../../ui/browser/use-countdown.ts'

/** The layout of all sign-in pages: heading, error, fields, one button and links to the other pages. */
export function EntryForm(props: {
  /** Null where an element around the form shows the heading. */
  title: string | null
  lead: string
  /** The service's error. If it has a `Retry-After`, the button is disabled and counts down that time. */
  error: unknown
  errorTitle?: string
  /** What a person can do about the error, besides retrying. */
  remedy?: ReactNode
  submit: string
  isPending: boolean
  /** Called with the form's values; returns the problems it found, by field name. */
  onSubmit: (form: FormData) => object
  children: ReactNode
  other?: ReactNode
}) {
  const waitMs = useCountdown(props.error)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (waitMs > 0 || props.isPending) return
    const form = event.currentTarget
    focusField(form, Object.keys(props.onSubmit(new FormData(form)))[0])
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      {props.title === null ? (
        <p className="text-kumo-subtle text-pretty break-words">{props.lead}</p>
      ) : (
        <EntryHeading title={props.title} lead={props.lead} />
      )}
      {props.error ? (
        <FailureNote error={props.error} {...(props.errorTitle && { title: props.errorTitle })} takeFocus />
      ) : null}
      {props.remedy}
      {props.children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className={`w-full justify-center ${waitMs > 0 ? 'opacity-60' : ''}`}
        aria-disabled={waitMs > 0}
        loading={props.isPending}
      >
        {waitMs > 0 ? signInText.retryIn(formatDuration(Math.ceil(waitMs / 1000) * 1000)) : props.submit}
      </Button>
      {props.other}
    </form>
  )
}

export function EntryHeading({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="space-y-1.5">
      <PageHeading className="text-[26px] text-balance break-words">{title}</PageHeading>
      <p className="text-kumo-subtle text-pretty break-words">{lead}</p>
    </div>
  )
}

export function EmailField({ error, ...input }: { error: string | undefined; defaultValue?: string }) {
  return (
    <TextField
      name="email"
      type="email"
      size="lg"
      label={signInText.email}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...input}
      {...(error && { error })}
    />
  )
}

export function EntryLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} className="font-medium text-kumo-link underline underline-offset-3">
      {children}
    </a>
  )
}

export function OtherWay(props: { question: string; action: string; to: string }) {
  return (
    <p className="text-kumo-subtle">
      {props.question} <EntryLink to={props.to}>{props.action}</EntryLink>
    </p>
  )
}
