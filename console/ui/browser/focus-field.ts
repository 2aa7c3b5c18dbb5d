import { type RefObject, useEffect } from 'react'
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

/**
 * Focuses the form's first field with an error, which may be scrolled out of view, after each attempt to send the form and after each
 * refusal by the service. For forms whose fields are not known in advance.
 */
export function useFocusOnInvalid(
  form: RefObject<HTMLFormElement | null>,
  attempts: number,
  refusal: unknown,
): void {
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, attempts, refusal])
}
