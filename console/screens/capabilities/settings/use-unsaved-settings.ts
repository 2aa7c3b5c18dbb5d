import { isRecord } from '@slipway/sdk/is-record.ts'
import { useEffect, useRef, useState } from 'react'
import { readDraft, storeDraft } from '../../../shell/drafts.ts'
import { isStructure, readField, type SettingField } from './schema-fields.ts'

const DRAFT_NAME = 'settings'

/** The text that was typed into a setting, and the stored text (`over`) that the field showed before. */
interface TypedSetting {
  text: string
  over: string
}
export type TypedSettings = Record<string, TypedSetting>

/** The settings that were edited and not saved. They are stored as a draft with this `id`, so they survive a reload. */
export function useUnsavedSettings(id: string, fields: SettingField[], stored: Record<string, string>) {
  const [typed, setTyped] = useState(() => {
    // Remove text that equals the stored value. It is not unsaved now, but would appear as unsaved once the stored value changes.
    const kept = differingFrom((name) => stored[name], readUnsaved(id, fields))
    storeUnsaved(id, kept)
    return kept
  })
  const latest = useRef(typed)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const change = (next: TypedSettings) => {
    latest.current = next
    setTyped(next)
    storeUnsaved(id, next)
  }
  // The callbacks below may run after more text was typed, or after this form was closed. In the second case a form that was opened later
  // may have stored a newer draft, so read the draft.
  const newest = () => (isOpen.current ? latest.current : readUnsaved(id, fields))
  return {
    typed,
    change,
    /** Removes the saved settings. A setting whose text was changed since then stays. */
    forget: (saved: TypedSettings) => change(differingFrom((name) => saved[name]?.text, newest())),
    /** Restores the discarded settings, except those that were edited again since then. */
    restore: (discarded: TypedSettings) => change({ ...discarded, ...newest() }),
  }
}

/** Returns the settings whose typed text differs from the text that `textOf` returns for them. */
const differingFrom = (textOf: (name: string) => string | undefined, typed: TypedSettings): TypedSettings =>
  Object.fromEntries(Object.entries(typed).filter(([name, { text }]) => text !== textOf(name)))

const storeUnsaved = (id: string, typed: TypedSettings) =>
  storeDraft(Object.keys(typed).length === 0 ? '' : JSON.stringify(typed), DRAFT_NAME, id)

/** Reads the draft. Ignores entries that the form cannot show, which another release of the console may have stored. */
function readUnsaved(id: string, fields: SettingField[]): TypedSettings {
  const kept = parseRecord(readDraft(DRAFT_NAME, id))
  return Object.fromEntries(
    fields.flatMap((field) => {
      const setting = kept[field.name]
      return isTyped(setting) && isShowable(field, setting.text) ? [[field.name, setting]] : []
    }),
  )
}

function parseRecord(draft: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(draft)
    return isRecord(kept) ? kept : {}
  } catch {
    return {}
  }
}

const isTyped = (setting: unknown): setting is TypedSetting =>
  isRecord(setting) && typeof setting['text'] === 'string' && typeof setting['over'] === 'string'

/** The controls of objects and lists parse their text. The control of JSON shows any text. */
const isShowable = (field: SettingField, text: string) =>
  field.kind === 'json' || !isStructure(field) || 'value' in readField(field, text)
