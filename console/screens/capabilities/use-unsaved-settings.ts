import { isRecord } from '@slipway/sdk/is-record.ts'
import { useRef, useState } from 'react'
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
export function useUnsavedSettings(id: string, fields: SettingField[]) {
  const [typed, setTyped] = useState(() => readUnsaved(id, fields))
  // The newest value, for callbacks of requests that end after more was typed or after the form was closed.
  const latest = useRef(typed)
  const change = (next: TypedSettings) => {
    latest.current = next
    setTyped(next)
    storeDraft(Object.keys(next).length === 0 ? '' : JSON.stringify(next), DRAFT_NAME, id)
  }
  return { typed, latest, change }
}

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
