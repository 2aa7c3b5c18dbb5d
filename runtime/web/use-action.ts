import { type FormEvent, useState } from 'react'
import { ApiError } from '../kernel/errors.ts'

/** Why an action failed, as a sentence for people; `field` names the field it is about. */
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

/** An action of a page; see `useAction`. */
interface Action<A extends unknown[]> {
  run: (...args: A) => void
  /** Whether it runs now. */
  busy: boolean
  /** Why it failed the last time; null after a success. */
  problem: Problem | null
  /** For a `<form>`: runs the action without values. */
  onSubmit: (event: FormEvent) => void
}

/** Runs `act` for a button or a form: once at a time, and keeps why it failed. */
export function useAction<A extends unknown[]>(act: (...args: A) => unknown): Action<A> {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const runWhole = async (args: A) => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await act(...args)
    } catch (error) {
      setProblem(problemOf(error))
    }
    setBusy(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void runWhole([] as unknown as A)
  }
  return { busy, problem, onSubmit, run: (...args) => void runWhole(args) }
}
