import { CloudIcon, GitBranchIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { connectionsQuery } from '../../api/connections.ts'
import { readBoot } from '../../shell/boot.ts'
import { text } from '../../text/en.ts'
import { settingsText } from '../../text/settings.en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { StateDot } from '../../ui/state-dot.tsx'
import { Card, CardList, CardSkeleton } from './card-list.tsx'
import { SettingsHeader } from './settings-header.tsx'

/** Where apps run and where their code goes. */
export function Connections() {
  const connections = useQuery(connectionsQuery())
  const { data } = connections
  return (
    <>
      <SettingsHeader title={settingsText.connections.title} lead={settingsText.connections.lead} />
      {connections.isPending && <CardSkeleton />}
      {connections.isError && !data && (
        <FailureNote
          title={text.failure.title}
          error={connections.error}
          onRetry={() => void connections.refetch()}
        />
      )}
      {data && (
        <CardList>
          <Connection
            icon={<CloudIcon />}
            title={settingsText.connections.cloud}
            hint={settingsText.connections.cloudHint}
            note={readBoot().localWorld && data.cloudflare.connected ? settingsText.connections.local : null}
            connected={data.cloudflare.connected}
          >
            {data.cloudflare.account && (
              <Fact
                name={settingsText.connections.account}
                value={data.cloudflare.account.name ?? data.cloudflare.account.id}
              />
            )}
            {data.cloudflare.method && (
              <Fact
                name={settingsText.connections.method}
                value={settingsText.connections.methods[data.cloudflare.method] ?? data.cloudflare.method}
              />
            )}
            {data.cloudflare.missingScopes.length > 0 && (
              <Fact
                name={settingsText.connections.missing}
                value={data.cloudflare.missingScopes.join(', ')}
              />
            )}
          </Connection>
          <Connection
            icon={<GitBranchIcon />}
            title={settingsText.connections.code}
            hint={settingsText.connections.codeHint}
            connected={data.github.connected}
          >
            {data.github.login && <Fact name={settingsText.connections.account} value={data.github.login} />}
          </Connection>
        </CardList>
      )}
    </>
  )
}

function Connection(props: {
  icon: ReactNode
  title: string
  hint: string
  note?: string | null
  connected: boolean
  children: ReactNode
}) {
  return (
    <Card>
      <div className="flex items-start gap-3.5">
        <span
          className="grid size-9 shrink-0 place-items-center rounded-lg bg-kumo-fill [&_svg]:size-5"
          aria-hidden="true"
        >
          {props.icon}
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h2 className="font-medium text-kumo-strong">{props.title}</h2>
            <span className="text-[13px]">
              <StateDot tone={props.connected ? 'good' : 'quiet'}>
                {props.connected ? settingsText.connections.connected : settingsText.connections.notConnected}
              </StateDot>
            </span>
          </div>
          <p className="text-[13px] text-kumo-subtle">{props.hint}</p>
          <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-[13px] empty:hidden">{props.children}</dl>
          {props.note && <p className="mt-2 text-[13px] text-kumo-subtle">{props.note}</p>}
        </div>
      </div>
    </Card>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-kumo-subtle">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </div>
  )
}
