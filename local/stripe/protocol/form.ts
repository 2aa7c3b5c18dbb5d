/** A form value: a string, or a list or object of form values. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }

interface FormBranch {
  [name: string]: string | FormBranch
}

/** Decodes the provider's form encoding: `metadata[a]=b`, `expand[]=x`, `line_items[0][price]=y`. */
export function decodeForm(text: string): { [name: string]: FormValue } {
  const root = newBranch()
  for (const [name, value] of new URLSearchParams(text)) placeValue(root, splitPath(name), value)
  const whole = toFormValue(root)
  return typeof whole === 'string' || Array.isArray(whole) ? {} : whole
}

function splitPath(name: string): string[] {
  const [first = '', ...rest] = name.split('[')
  return [first, ...rest.map((part) => part.replace(/\]$/, ''))]
}

function placeValue(branch: FormBranch, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(branch).length) : name
  if (rest.length === 0) {
    branch[key] = value
    return
  }
  const next = branch[key]
  const inner = next === undefined || typeof next === 'string' ? newBranch() : next
  branch[key] = inner
  placeValue(inner, rest, value)
}

// An object without a prototype, so that a field named `__proto__` is an ordinary field.
const newBranch = (): FormBranch => Object.create(null) as FormBranch

function toFormValue(value: string | FormBranch): FormValue {
  if (typeof value === 'string') return value
  const entries = Object.entries(value)
  // Only the keys 0, 1, 2 and so on form a list. With any other number, as in `metadata[2026]=x`, the value is an object.
  const isList = entries.length > 0 && entries.every(([key], at) => key === String(at))
  if (isList) return entries.map(([, item]) => toFormValue(item))
  return Object.fromEntries(entries.map(([key, item]) => [key, toFormValue(item)]))
}
