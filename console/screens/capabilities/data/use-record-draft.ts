import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { type FieldSchema, recordFieldText } from './record-fields.ts'

/** The draft stores the whole record as JSON under this name. No field of an app has an empty name. */
export const JSON_TEXT = ''

export const recordJson = (own: Record<string, unknown>) => JSON.stringify(own, null, 2)

/** The unsaved text that was typed into the form or the JSON of a record. `own` has the stored values of the app's fields. */
export function useRecordDraft(id: string, fields: FieldSchema[], own: Record<string, unknown>) {
  const stored = Object.fromEntries(
    fields.map((field) => [field.name, recordFieldText(field, own[field.name])]),
  )
  const draft = useDraftFields<string>('record', id, { ...stored, [JSON_TEXT]: recordJson(own) })
  return { ...draft, stored }
}

export type RecordDraft = ReturnType<typeof useRecordDraft>
