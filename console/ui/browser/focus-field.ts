/** Focuses the form's field of this name. Does nothing without a name. */
export function focusField(form: HTMLFormElement, name: string | undefined): void {
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}
