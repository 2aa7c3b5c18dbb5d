import { type FormEvent, useState } from 'react'
import { ApiError } from '../kernel/errors.ts'

/** An error as a sentence for people. `field` is the name of the invalid field. */
export interface Problem {
  field: string | null
  text: string
}

export function actionProblem(error: unknown): Problem {
  const field = error instanceof ApiError ? (error.field ?? null) : null
  const text = error instanceof Error ? error.message : String(error)
  return { field, text: field === null ? text : `This ${text.replace(`${field}: `, '')}` }
}

interface ActionState<A extends unknown[]> {
  run: (...args: A) => void
  busy: boolean
  /** The error of the last run; null after a success. */
  problem: Problem | null
  /** The submit handler of a `<form>`: runs the action without arguments. */
  onSubmit: (event: FormEvent) => void
}

/** Runs `act` for a button or a form, one run at a time, and stores its error. */
export function useAction<A extends unknown[]>(act: (...args: A) => unknown): ActionState<A> {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const runOnce = async (work: () => unknown) => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(actionProblem(error))
    }
    setBusy(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void runOnce(act)
  }
  return { busy, problem, onSubmit, run: (...args) => void runOnce(() => act(...args)) }
}
