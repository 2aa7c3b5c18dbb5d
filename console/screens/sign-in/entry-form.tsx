import { Button } from '@cloudflare/kumo/components/button'
import type { ReactNode } from 'react'
import { PageHeading } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** What signing in and signing up look like: heading, what failed, fields, one button, the other way in. */
export function EntryForm(props: {
  title: string
  lead: string
  /** The service's refusal, when there is one. */
  failure: ReactNode
  submit: string
  isPending: boolean
  /** Called with the form's values; answers the problems it found by field name. */
  onSubmit: (form: FormData) => object
  children: ReactNode
  other: ReactNode
}) {
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const first = Object.keys(props.onSubmit(new FormData(form)))[0]
    if (first !== undefined) form.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="space-y-5">
      <div className="space-y-1.5">
        <PageHeading className="text-[26px]">{props.title}</PageHeading>
        <p className="text-kumo-subtle text-pretty">{props.lead}</p>
      </div>
      {props.failure}
      {props.children}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="w-full justify-center"
        loading={props.isPending}
      >
        {props.submit}
      </Button>
      {props.other}
    </form>
  )
}

export function EmailField(props: { label: string; error: string | undefined }) {
  return (
    <TextField
      name="email"
      type="email"
      size="lg"
      label={props.label}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...(props.error && { error: props.error })}
    />
  )
}

/** The way for people who came to the wrong one of the two forms. */
export function OtherWay(props: { question: string; action: string; to: string }) {
  return (
    <p className="text-kumo-subtle">
      {props.question}{' '}
      <a href={props.to} className="font-medium text-kumo-link underline underline-offset-3">
        {props.action}
      </a>
    </p>
  )
}
