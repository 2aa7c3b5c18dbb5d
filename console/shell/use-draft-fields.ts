import { isRecord } from '@slipway/sdk/is-record.ts'
import { useEffect, useRef, useState } from 'react'
import { type Draft, openDraft } from './drafts.ts'
import { entryOf } from '../lib/fields.ts'

/** The text that was typed into a field, and the stored text (`over`) that the field showed before. */
interface TypedField {
  text: string
  over: string
}
export type TypedFields = Record<string, TypedField>

/**
 * The edited, unsaved fields of a form, which survive a reload. `stored` has the service's current text of every field that may be stored
 * in this browser. Secrets may not. `isShowable` rejects text that the form cannot show.
 */
export function useDraftFields<Name extends string>(
  kind: string,
  id: string,
  stored: Record<Name, string>,
  isShowable: (name: string, text: string) => boolean = () => true,
) {
  const [place] = useState(() => openDraft(kind, id))
  const readTyped = () =>
    parseTyped(place, (name, text) => Object.hasOwn(stored, name) && isShowable(name, text))
  const storedOf = (name: string) => entryOf(stored, name) ?? ''
  const [typed, setTyped] = useState(() => {
    // Remove text that equals the stored value. It is not unsaved now, but would appear as unsaved once the stored value changes.
    const kept = differingFrom(storedOf, readTyped())
    storeTyped(place, kept)
    return kept
  })
  const [isRestored, setRestored] = useState(!hasNoFields(typed))
  const latest = useRef(typed)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const change = (next: TypedFields) => {
    latest.current = next
    setTyped(next)
    if (hasNoFields(next)) setRestored(false)
    storeTyped(place, next)
  }
  // The functions below may be called after more text was typed, or after this form was closed. In the second case a form that was opened
  // later may have stored a newer draft, so read the draft.
  const newest = () => (isOpen.current ? latest.current : readTyped())
  const textOf = (name: Name) => typed[name]?.text ?? storedOf(name)
  /** Sets the text of some fields. Text that equals the stored value counts as unedited, so that a later refetch updates the field. */
  const write = (texts: Partial<Record<Name, string>>) => {
    const before = latest.current
    const written = Object.entries<string | undefined>(texts).map(([name, text = '']) => [
      name,
      { text, over: before[name]?.over ?? storedOf(name) },
    ])
    change(differingFrom(storedOf, { ...before, ...Object.fromEntries(written) }))
  }
  /** Restores discarded fields, except those that were edited again since then. */
  const restore = (discarded: TypedFields) => change({ ...discarded, ...newest() })
  return {
    place,
    typed,
    isRestored,
    textOf,
    write,
    restore,
    /** The props of a text field. */
    field: (name: Name) => ({
      name,
      value: textOf(name),
      onChange: (event: { target: { value: string } }) =>
        write({ [name]: event.target.value } as Partial<Record<Name, string>>),
    }),
    /** Removes the saved fields. A field whose text was changed since then stays. */
    forget: (saved: TypedFields) => change(differingFrom((name) => saved[name]?.text, newest())),
    clear: () => change({}),
    /** Discards the edited fields. Returns the function that undoes this. */
    discard: () => {
      change({})
      return () => restore(typed)
    },
    /** The edited fields whose stored value another page has changed since the edit began. Saving replaces the newer value. */
    newer: Object.entries(typed).flatMap(([name, { text, over }]) =>
      storedOf(name) === over || storedOf(name) === text ? [] : [{ name, stored: storedOf(name) }],
    ),
  }
}

const hasNoFields = (typed: TypedFields) => Object.keys(typed).length === 0

/** Returns the fields whose text differs from `textOf(name)`. */
const differingFrom = (textOf: (name: string) => string | undefined, typed: TypedFields): TypedFields =>
  Object.fromEntries(Object.entries(typed).filter(([name, { text }]) => text !== textOf(name)))

const storeTyped = (draft: Draft, typed: TypedFields) =>
  draft.store(hasNoFields(typed) ? '' : JSON.stringify(typed))

/** Reads the draft. Ignores entries that the form cannot show, which another release of the console may have stored. */
function parseTyped(draft: Draft, isShowable: (name: string, text: string) => boolean): TypedFields {
  return Object.fromEntries(
    Object.entries(parseRecord(draft.read())).filter(
      (entry): entry is [string, TypedField] => isTyped(entry[1]) && isShowable(entry[0], entry[1].text),
    ),
  )
}

function parseRecord(json: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(json)
    return isRecord(kept) ? kept : {}
  } catch {
    return {}
  }
}

const isTyped = (field: unknown): field is TypedField =>
  isRecord(field) && typeof field['text'] === 'string' && typeof field['over'] === 'string'
