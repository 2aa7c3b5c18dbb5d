import type { HelpThread } from '@slipway/sdk/client/types.gen.ts'
import { helpText } from '../../text/help.en.ts'

const STATE_COLOURS = {
  open: 'bg-kumo-tint text-kumo-default',
  answered: 'bg-tide-tint text-tide',
  closed: 'bg-kumo-tint text-kumo-subtle',
}

export function StateLabel({ state }: { state: HelpThread['state'] }) {
  return (
    <span className={`rounded-full px-2 py-0.5 text-xs font-medium ${STATE_COLOURS[state]}`}>
      {helpText.states[state]}
    </span>
  )
}
