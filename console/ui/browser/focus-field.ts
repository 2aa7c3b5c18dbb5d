import { describeFailure } from '../../api/request/failures.ts'

/** Focuses the form's field of this name. Does nothing without a name. */
export function focusField(form: HTMLFormElement, name: string | undefined): void {
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}

/** Focuses the field that an error of the service names, as `name: ...` does. Does nothing when the form has no such field. */
export function focusRefusedField(form: HTMLFormElement, error: unknown): void {
  const { field } = describeFailure(error)
  const refused = field === null ? null : form.elements.namedItem(field)
  if (refused instanceof HTMLElement) refused.focus()
}
