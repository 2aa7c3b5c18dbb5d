import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '../../kernel/errors.ts'
import { manifest } from '../../manifest.gen.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { navigate, usePath } from '../../web/navigation.tsx'
import { auth } from '../client.ts'

export const SIGN_IN_PATH = '/sign-in'

/** The page where people get an account or sign in. On a page that needs it, it leads to that page. */
export function SignIn() {
  const path = usePath()
  const [isNew, setIsNew] = useState(false)
  const [canSignUp, setCanSignUp] = useState(true)
  const [values, setValues] = useState({ name: '', email: '', password: '' })
  const [problem, setProblem] = useState<{ field: string | null; text: string } | null>(null)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => {
    auth.settings().then(
      ({ openSignup }) => setCanSignUp(openSignup),
      // The form says it when it is sent.
      () => {},
    )
  }, [])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsSending(true)
    setProblem(null)
    try {
      await (isNew ? auth.signUp(values) : auth.signIn(values))
      if (path === SIGN_IN_PATH) navigate('/', { replace: true })
    } catch (error) {
      setIsSending(false)
      const field = error instanceof ApiError ? (error.field ?? null) : null
      const text = error instanceof Error ? error.message : String(error)
      setProblem({ field, text: field === null ? text : `This ${text.replace(`${field}: `, '')}` })
    }
  }

  const fieldOf = (name: keyof typeof values) => ({
    value: values[name],
    required: true,
    error: problem?.field === name ? problem.text : null,
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  })
  const title = isNew ? 'Create an account' : 'Sign in'
  return (
    <Page title={title} description={`${isNew ? 'To use' : 'Welcome back to'} ${manifest.name}.`}>
      <Card>
        <form className="form form-narrow" noValidate onSubmit={(event) => void submit(event)}>
          {isNew && <TextField label="Name" autoComplete="name" {...fieldOf('name')} />}
          <TextField label="Email" kind="email" autoComplete="username" {...fieldOf('email')} />
          <TextField
            label="Password"
            kind="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            {...fieldOf('password')}
          />
          {problem !== null && problem.field === null && <Notice>{problem.text}</Notice>}
          <div className="form-actions">
            <Button type="submit" busy={isSending}>
              {title}
            </Button>
            {(canSignUp || isNew) && (
              <Button
                kind="plain"
                onClick={() => {
                  setIsNew(!isNew)
                  setProblem(null)
                }}
              >
                {isNew ? 'I have an account' : 'Create an account'}
              </Button>
            )}
          </div>
        </form>
      </Card>
    </Page>
  )
}
