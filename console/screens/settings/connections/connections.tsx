import { CheckCircleIcon, CloudIcon, GitBranchIcon, WarningCircleIcon } from '@phosphor-icons/react'
import type { Connections as Connected } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type ConnectedProvider, connectionsQuery } from '../../../api/organization/connections.ts'
import { connectionsText } from '../../../text/connections.en.ts'
import { LoadFailure } from '../../../ui/page/failure.tsx'
import { CardList, CardSkeleton } from '../card-list.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionMoves } from './connection-moves.tsx'
import { describeReturn, type ReturnNote } from './connection-return.ts'
import { SettingsHeader } from '../settings-header.tsx'

export function Connections() {
  const connections = useQuery(connectionsQuery())
  const returned = useSearch({ from: '/app/settings/connections' })
  const [disconnected, setDisconnected] = useState<{ provider: ConnectedProvider; sentence: string } | null>(
    null,
  )
  const { data } = connections
  // Hide the message once the account is connected again. Connecting with an API token does not leave this page.
  const isGone = disconnected !== null && data?.[disconnected.provider].connected === false
  const note: ReturnNote | null = isGone
    ? { tone: 'good', title: disconnected.sentence, sentence: null }
    : describeReturn(returned, (provider) => data?.[provider].connected === true)
  const reason = data?.role === 'member' ? connectionsText.membersOnly : null
  return (
    <>
      <SettingsHeader title={connectionsText.title} lead={connectionsText.lead} />
      {note && <ReturnNotice note={note} />}
      {connections.isPending && <CardSkeleton />}
      <LoadFailure query={connections} />
      {data && (
        <CardList>
          <ConnectionCard
            provider="cloudflare"
            icon={<CloudIcon />}
            connection={data.cloudflare}
            facts={cloudFacts(data.cloudflare)}
            {...(data.cloudflare.connected && {
              account: data.cloudflare.account === null ? ('choose' as const) : ('change' as const),
            })}
            startChoosing={returned.choose === 'account'}
            reason={reason}
            onDisconnected={(sentence) => setDisconnected({ provider: 'cloudflare', sentence })}
          />
          <ConnectionMoves reason={reason} />
          <ConnectionCard
            provider="github"
            icon={<GitBranchIcon />}
            connection={data.github}
            facts={data.github.login ? [[connectionsText.account, data.github.login]] : []}
            startChoosing={false}
            reason={reason}
            onDisconnected={(sentence) => setDisconnected({ provider: 'github', sentence })}
          />
        </CardList>
      )}
    </>
  )
}

function cloudFacts({ account, method, profile }: Connected['cloudflare']): [string, string][] {
  const facts: [string, string][] = []
  if (account) facts.push([connectionsText.account, account.name ?? account.id])
  if (account?.subdomain && profile === 'real')
    facts.push([connectionsText.subdomain, `*.${account.subdomain}.workers.dev`])
  if (method) facts.push([connectionsText.method, connectionsText.methods[method]])
  return facts
}

function ReturnNotice({ note }: { note: ReturnNote }) {
  const isGood = note.tone === 'good'
  const Icon = isGood ? CheckCircleIcon : WarningCircleIcon
  return (
    <div
      role={isGood ? 'status' : 'alert'}
      className={`mb-4 flex gap-3 rounded-lg px-3.5 py-3 ring-1 ${
        isGood ? 'bg-kumo-success-tint ring-kumo-success/30' : 'bg-kumo-danger-tint ring-kumo-danger/25'
      }`}
    >
      <Icon
        weight="fill"
        className={`mt-0.5 size-[18px] shrink-0 ${isGood ? 'text-added' : 'text-removed'}`}
        aria-hidden="true"
      />
      <div className="min-w-0">
        <p className="font-medium break-words text-kumo-strong">{note.title}</p>
        {note.sentence && <p>{note.sentence}</p>}
      </div>
    </div>
  )
}
