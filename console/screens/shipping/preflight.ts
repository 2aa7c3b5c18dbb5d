import type { Connections, DeployState } from '@slipway/sdk/client/types.gen.ts'
import type { Readiness } from '../../api/project/deployments.ts'
import { href } from '../../routes.ts'
import { connectionsText } from '../../text/connections.en.ts'
import { shipText } from '../../text/shipping.en.ts'
import { metadataOf } from '../capabilities/capability-metadata.ts'
import { accessSentence, type RecordAccess } from './record-access.ts'
import { entryOf } from '../../lib/fields.ts'

const { checks: words } = shipText

export interface PreflightCheck {
  key: string
  state: 'ready' | 'waiting' | 'open' | 'missing' | 'blocked'
  sentence: string
  /** The page on which a person can fix a failed check. Null when there is nothing to fix. */
  fix: { to: string; label: string } | null
}

/** The data that decides whether the project can be deployed. Data that is not loaded yet is null or undefined. */
export interface PreflightFacts {
  projectId: string
  deployment: DeployState
  cloud: Connections['cloudflare'] | undefined
  hasModel: boolean | undefined
  readiness: Readiness | undefined
  /** Who can access the records of the app. Null when the app has no records, and while the access is unknown. */
  access: RecordAccess | null
}

/**
 * Returns one line for each condition of a deployment, first the conditions that a person has to fix. Conditions whose data is not loaded
 * yet have no line.
 */
export function listChecks(facts: PreflightFacts): PreflightCheck[] {
  const checks = [
    activeCheck(facts.deployment),
    builtCheck(facts),
    ...(facts.cloud ? cloudChecks(facts.cloud) : []),
    ...(facts.hasModel === undefined ? [] : [modelCheck(facts.hasModel)]),
    ...(facts.access ? [accessCheck(facts, facts.access)] : []),
    ...(facts.readiness ? capabilityChecks(facts.projectId, facts.readiness) : []),
  ]
  const rank = { blocked: 0, waiting: 1, missing: 2, open: 3, ready: 4 }
  return checks.toSorted((one, other) => rank[one.state] - rank[other.state])
}

const readyCheck = (key: string, sentence: string): PreflightCheck => ({
  key,
  state: 'ready',
  sentence,
  fix: null,
})
const blockedCheck = (key: string, sentence: string, fix: PreflightCheck['fix']): PreflightCheck => ({
  key,
  state: 'blocked',
  sentence,
  fix,
})

const activeCheck = ({ state }: DeployState) =>
  state === 'archived' ? blockedCheck('active', words.archived, null) : readyCheck('active', words.active)

function builtCheck({ projectId, deployment }: PreflightFacts): PreflightCheck {
  const { builtSha } = deployment
  if (builtSha !== null) return readyCheck('built', words.built(builtSha.slice(0, 7)))
  return blockedCheck('built', words.notBuilt, { to: href.project(projectId), label: words.goBuild })
}

function cloudChecks(cloud: Connections['cloudflare']): PreflightCheck[] {
  const fix = { to: href.connections(), label: words.goConnect }
  if (cloud.status === 'needs_reconnect') return [blockedCheck('cloud', words.refused, fix)]
  if (!cloud.connected) return [blockedCheck('cloud', words.noAccount, fix)]
  if (cloud.account === null) return [blockedCheck('cloud', words.notChosen, fix)]
  const name = cloud.account.name ?? cloud.account.id
  const account = readyCheck(
    'cloud',
    cloud.profile === 'local' ? words.localAccount(name) : words.account(name),
  )
  if (cloud.missingScopes.length === 0) return [account]
  const names = cloud.missingScopes.map((scope) => entryOf(connectionsText.scopes.names, scope)?.[0] ?? scope)
  return [account, blockedCheck('scopes', words.scopes(names.join(', ')), fix)]
}

const modelCheck = (hasModel: boolean): PreflightCheck =>
  hasModel
    ? readyCheck('model', words.model)
    : blockedCheck('model', words.noModel, { to: href.models(), label: words.goModel })

/** The state `open` highlights an app that lets every visitor add records, so that the operator notices it. */
const accessCheck = ({ projectId, cloud }: PreflightFacts, access: RecordAccess): PreflightCheck =>
  access === 'add'
    ? {
        key: 'access',
        state: 'open',
        sentence: accessSentence(access, cloud?.profile === 'local'),
        fix: { to: href.project(projectId, { pane: 'tickets' }), label: words.goAccess },
      }
    : readyCheck('access', accessSentence(access, cloud?.profile === 'local'))

/** The key under which the service lists a problem of the app's own worker. */
const APP_KEY = 'app'

const capabilityTitle = (key: string): string =>
  key === APP_KEY ? shipText.managed.app : (metadataOf(key)?.title ?? key)

/**
 * Returns the checks of the capabilities. A value that a person has not entered yet (`missing`), such as a secret, does not prevent
 * deploying. So a line that all capabilities are ready can stand beside a line about a missing value.
 */
function capabilityChecks(
  projectId: string,
  { ready: isReady, warming, failed, missing }: Readiness,
): PreflightCheck[] {
  const lacking = missing.map(({ key, reason }): PreflightCheck => ({
    key: `missing-${key}-${reason}`,
    state: 'missing',
    sentence: words.failed(capabilityTitle(key), reason),
    fix: { to: href.capability(projectId, key), label: words.goCapability },
  }))
  if (isReady) return [readyCheck('capabilities', words.capabilities), ...lacking]
  return [
    ...lacking,
    ...failed.map(({ key, reason }) =>
      blockedCheck(
        `failed-${key}-${reason}`,
        words.failed(capabilityTitle(key), reason),
        key === APP_KEY ? null : { to: href.capability(projectId, key), label: words.goCapability },
      ),
    ),
    ...warming.map((key): PreflightCheck => ({
      key: `warming-${key}`,
      state: 'waiting',
      sentence: words.warming(capabilityTitle(key)),
      fix: null,
    })),
  ]
}
