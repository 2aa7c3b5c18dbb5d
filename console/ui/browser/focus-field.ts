/** Focuses the first invalid field. */
export function focusField(form: HTMLFormElement, name: string | undefined): void {
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}
