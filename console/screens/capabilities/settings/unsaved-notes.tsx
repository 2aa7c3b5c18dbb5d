import { useEffect, useRef } from 'react'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { draftText } from '../../../text/drafts.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { SettingField } from './schema-fields.ts'
import { choiceText } from './setting-control.tsx'

const { settings: settingsText } = capabilitiesText

/** Shows the value of a setting that another person has saved since this person began to type. Saving the form would replace that value. */
export function NewerValue(props: { field: SettingField; stored: string; onTake: () => void }) {
  const { field, stored } = props
  const box = useRef<HTMLDivElement>(null)
  // Scroll to this note, because the form may be longer than the window, and the Save button is at the end of the form.
  useEffect(() => {
    // Return nothing: in newer browsers `scrollIntoView` returns a promise, which React would call as the clean-up of the effect.
    box.current?.scrollIntoView?.({ block: 'nearest' })
  }, [])
  return (
    <div
      ref={box}
      role="alert"
      className="space-y-2 rounded-lg bg-kumo-warning-tint px-3 py-2 text-[13px] text-kumo-default"
    >
      <p className="font-medium">{draftText.newer(field.title)}</p>
      <p className="break-words whitespace-pre-wrap">{valueText(field, stored)}</p>
      <Button type="button" size="sm" onClick={props.onTake}>
        {settingsText.take}
      </Button>
    </div>
  )
}

function valueText({ kind }: SettingField, stored: string): string {
  if (kind === 'boolean') return stored === 'true' ? capabilitiesText.states.on : capabilitiesText.states.off
  if (stored === '') return draftText.nothing
  return kind === 'choice' ? choiceText(stored) : stored
}

/** Says how many changes are not saved and where the changes are stored, and has a button that discards them. */
export function UnsavedNote(props: { settings: number; secrets: number; onDiscard: () => void }) {
  const { settings, secrets } = props
  const isUnsaved = settings + secrets > 0
  return (
    <>
      {isUnsaved && (
        <Button type="button" variant="ghost" onClick={props.onDiscard}>
          {settingsText.discard}
        </Button>
      )}
      <div role="status" className="basis-full space-y-1 text-[13px] text-kumo-subtle empty:hidden">
        {settings > 0 && <p>{settingsText.unsaved(settings)}</p>}
        {secrets > 0 && <p className="text-kumo-default">{settingsText.secretUnsaved}</p>}
      </div>
    </>
  )
}
