import type { LocalModels as Found } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { localModelsQuery } from '../../../api/organization/connections.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { Button } from '../../../ui/controls/button.tsx'

const localModelsText = settingsText.models.look

/**
 * Lists the model servers that run on the service's machine, each with a button to connect it. When none can be
 * reached, says what must be configured first.
 */
export function LocalModels({ onChoose }: { onChoose: (baseUrl: string) => void }) {
  const { data: local, isPending } = useQuery(localModelsQuery())
  // Reserve the usual height, so that the content below does not move when the list is loaded.
  if (isPending) return <LocalModelsDetails>{localModelsText.localLooking}</LocalModelsDetails>
  if (!local) return null
  const running = local.servers.filter(({ state }) => state === 'found')
  return (
    <>
      {running.length > 0 && (
        <section aria-label={localModelsText.local} className="space-y-2">
          <p className="text-[13px] font-medium">{localModelsText.local}</p>
          <ul className="flex flex-wrap items-center gap-2">
            {running.map((server) => (
              <li key={server.name} className="min-w-0 text-[13px]">
                {server.models[0] ? (
                  <Button size="sm" onClick={() => onChoose(server.baseUrl)}>
                    {localModelsText.localUse(server.name)}
                  </Button>
                ) : (
                  localModelsText.localEmpty(server.name)
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {running.length === 0 && <HowToReach {...local} />}
    </>
  )
}

function HowToReach({ setting, servers }: Found) {
  const closed = servers.filter(({ state }) => state === 'not_allowed')
  const absent = servers.filter(({ state }) => state === 'absent').map(({ name }) => name)
  return (
    <LocalModelsDetails>
      {absent.length > 0 && <p>{localModelsText.localAbsent(absent.join(', '))}</p>}
      {closed.length > 0 && (
        <>
          <p>{localModelsText.localAllow(setting)}</p>
          <ul className="space-y-1">
            {closed.map(({ name, allow }) => (
              <li key={name} className="flex flex-wrap gap-x-2">
                {name} <code className="font-mono break-all">{allow}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </LocalModelsDetails>
  )
}

function LocalModelsDetails({ children }: { children: ReactNode }) {
  return (
    <details className="text-[13px]">
      <summary className="w-fit cursor-pointer text-kumo-subtle">{localModelsText.localSummary}</summary>
      <div className="mt-2 space-y-2">{children}</div>
    </details>
  )
}
