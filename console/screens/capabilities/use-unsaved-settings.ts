import { isRecord } from '@slipway/sdk/is-record.ts'
import { useEffect, useRef, useState } from 'react'
import { readDraft, storeDraft } from '../../shell/drafts.ts'
import { isStructure, readField, type SettingField } from './schema-fields.ts'

const DRAFT_NAME = 'settings'

/** What was typed into a setting, and the stored text that it was typed over. */
interface TypedSetting {
  text: string
  over: string
}
export type TypedSettings = Record<string, TypedSetting>

/** The settings that were typed and not saved, which survive a reload. `id` is that of the draft. */
export function useUnsavedSettings(id: string, fields: SettingField[], stored: Record<string, string>) {
  const [typed, setTyped] = useState(() => {
    // Text that is the same as the stored value is not shown as unsaved. It would come back once that value changes.
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
  // For callbacks that run after more was typed. Once this form was closed, a form opened after it may have stored a newer draft.
  const newest = () => (isOpen.current ? latest.current : readUnsaved(id, fields))
  return {
    typed,
    change,
    /** Removes what was saved. Text that was changed since stays. */
    forget: (saved: TypedSettings) => change(differingFrom((name) => saved[name]?.text, newest())),
    /** Brings back what was discarded, except where something newer was typed since. */
    restore: (discarded: TypedSettings) => change({ ...discarded, ...newest() }),
  }
}

/** Returns the settings whose text differs from `textOf` their name. */
const differingFrom = (textOf: (name: string) => string | undefined, typed: TypedSettings): TypedSettings =>
  Object.fromEntries(Object.entries(typed).filter(([name, { text }]) => text !== textOf(name)))

const storeUnsaved = (id: string, typed: TypedSettings) =>
  storeDraft(Object.keys(typed).length === 0 ? '' : JSON.stringify(typed), DRAFT_NAME, id)

/** Reads the draft. Ignores what the form cannot show, because another release of the console may have stored it. */
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
