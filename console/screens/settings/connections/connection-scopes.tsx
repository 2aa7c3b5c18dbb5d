import { WarningIcon } from '@phosphor-icons/react'
import { connectionsText } from '../../../text/connections.en.ts'
import { entryOf } from '../../../lib/fields.ts'

const { scopes: words } = connectionsText

export function ConnectionScopes(props: {
  held: string[]
  missing: string[]
  method: 'oauth' | 'token' | null
}) {
  const { held, missing, method } = props
  return (
    <div className="mt-3 space-y-2.5">
      {missing.length > 0 && (
        <div className="rounded-lg bg-kumo-warning-tint px-3.5 py-3 ring-1 ring-kumo-warning/30">
          <p className="flex items-center gap-2 font-medium text-kumo-strong">
            <WarningIcon weight="fill" className="size-4 shrink-0 text-kumo-warning" aria-hidden="true" />
            {words.missingTitle(missing.length)}
          </p>
          <ul className="mt-1.5 space-y-0.5 text-[13px]">
            {missing.map((scope) => (
              <li key={scope} className="break-words">
                <span className="font-medium">{scopeName(scope)}</span>
                {dependentFeature(scope) && <span> · {words.stops(dependentFeature(scope))}</span>}
              </li>
            ))}
          </ul>
          <p className="mt-1.5 text-[13px]">{method === 'token' ? words.missingToken : words.missingOAuth}</p>
        </div>
      )}
      {held.length > 0 && (
        <details className="text-[13px]">
          <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-kumo-subtle hover:text-kumo-default">
            {words.held(held.length)}
          </summary>
          <ul className="mt-1 flex flex-wrap gap-1.5">
            {held.map((scope) => (
              <li key={scope} className="rounded-full bg-kumo-fill px-2.5 py-0.5 break-all">
                {scopeName(scope)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const scopeName = (scope: string) => entryOf(words.names, scope)?.[0] ?? scope
const dependentFeature = (scope: string) => entryOf(words.names, scope)?.[1] ?? null
