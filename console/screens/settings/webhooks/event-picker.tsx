import { useId, useState } from 'react'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { CodeSample } from '../../../ui/code/code-sample.tsx'
import { SAMPLE_EVENTS, exampleOf, type OneEvent } from './events.ts'

export function EventPicker(props: {
  chosen: OneEvent[]
  problem: string | undefined
  onChange: (chosen: OneEvent[]) => void
}) {
  const id = useId()
  const [shown, setShown] = useState<OneEvent | null>(null)
  const toggle = (event: OneEvent, on: boolean) =>
    props.onChange(SAMPLE_EVENTS.filter((other) => (other === event ? on : props.chosen.includes(other))))
  return (
    <fieldset aria-describedby={props.problem ? id : undefined} className="min-w-0">
      <legend className="sr-only">{webhooksText.form.scope}</legend>
      <ul>
        {SAMPLE_EVENTS.map((event) => (
          <li key={event}>
            <div className="flex items-center gap-1 rounded-md hover:bg-kumo-tint">
              <label className="flex min-h-10 min-w-0 flex-1 cursor-pointer items-center gap-3 px-2 py-1">
                <input
                  type="checkbox"
                  checked={props.chosen.includes(event)}
                  onChange={(change) => toggle(event, change.target.checked)}
                  className="size-4 shrink-0"
                />
                <span className="min-w-0">
                  <span className="block">{webhooksText.events[event]}</span>
                  <code className="block font-mono text-xs break-all text-kumo-subtle">{event}</code>
                </span>
              </label>
              <button
                type="button"
                aria-expanded={shown === event}
                aria-label={webhooksText.form.example(event)}
                onClick={() => setShown(shown === event ? null : event)}
                className="min-h-8 shrink-0 cursor-pointer rounded-md px-2 text-[13px] text-kumo-link hover:underline pointer-coarse:min-h-11"
              >
                {webhooksText.form.showExample}
              </button>
            </div>
            {shown === event && (
              <div className="px-2 pt-1 pb-3">
                <CodeSample label={webhooksText.form.example(event)} code={exampleOf(event)} />
              </div>
            )}
          </li>
        ))}
      </ul>
      {props.problem && (
        <p id={id} role="alert" className="mt-1.5 px-2 text-[13px] text-removed">
          {props.problem}
        </p>
      )}
    </fieldset>
  )
}
