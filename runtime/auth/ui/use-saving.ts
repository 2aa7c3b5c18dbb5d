import { type FormEvent, useState } from 'react'
import { ApiError } from '../../kernel/errors.ts'

/** What a form says when it could not be saved; `field` names where. */
export interface Problem {
  field: string | null
  text: string
}

/** Returns what went wrong as a sentence for people. */
export function problemOf(error: unknown): Problem {
  const field = error instanceof ApiError ? (error.field ?? null) : null
  const text = error instanceof Error ? error.message : String(error)
  return { field, text: field === null ? text : `This ${text.replace(`${field}: `, '')}` }
}

/** A form: runs `save` once at a time and keeps what failed. */
export function useSaving(save: () => Promise<unknown>) {
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const submit = async () => {
    if (isSending) return
    setIsSending(true)
    setProblem(null)
    try {
      await save()
    } catch (error) {
      setProblem(problemOf(error))
    }
    setIsSending(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }
  return { isSending, problem, onSubmit, submit: () => void submit() }
}
