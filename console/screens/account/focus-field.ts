/** Leads to the first field that has to be mended. */
export function focusField(form: HTMLFormElement, name: string | undefined): void {
  if (name !== undefined) form.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()
}
