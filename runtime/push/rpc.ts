import { isTeamId, isUserId } from '../kernel/access/actor.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid, notSignedIn, unwrapResult } from '../kernel/errors.ts'
import { accountOf, directoryOf, partitionOf } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import { deviceIdOf, subscriptionIn } from './endpoint.ts'
import { validateNotification } from './message.ts'
import { pushSettingsOf } from './settings.ts'
import type { PushCalls, PushObjectCalls, PushReport } from './types.ts'
import { vapidKeysOf } from './vapid.ts'
import { fieldsOf } from '../kernel/fields.ts'

const PEOPLE_MAX = 100
const PEOPLE_AT_ONCE = 20
const DEVICE_ID = /^[a-f0-9]{64}$/

export const handlePush = rpcMethod<LiveContext, PushCalls>(pushHandlers)

function pushHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<PushCalls> {
  const directory = directoryOf(objects, tier)
  const settings = pushSettingsOf(env)

  function requireKey(): string {
    if (settings.privateKey !== null) return settings.privateKey
    throw new ApiError('not_enabled', 'The app has no key to send notifications with.')
  }

  async function callPerson<Kind extends keyof PushObjectCalls>(
    userId: string,
    kind: Kind,
    given: PushObjectCalls[Kind]['ask'],
  ): Promise<PushObjectCalls[Kind]['answer']> {
    return unwrapResult(await accountOf(objects, tier, userId).push(kind, given))
  }

  async function membersOf(teamId: unknown): Promise<string[]> {
    if (!isTeamId(teamId)) throw invalid('to', 'must name a team')
    const found = unwrapResult(await partitionOf(objects, tier, teamId).team('find', null))
    return found?.members.map(({ user }) => user) ?? []
  }

  /** Returns the ids of the receivers. Does not check that these people exist: a person who does not exist has no devices. */
  async function peopleIn(to: unknown): Promise<string[]> {
    const { userId, userIds, teamId } = fieldsOf(to)
    if (teamId !== undefined) return await membersOf(teamId)
    const ids: unknown[] = Array.isArray(userIds) ? userIds : [userId]
    if (ids.length > PEOPLE_MAX) throw invalid('to', `must name at most ${PEOPLE_MAX} people`)
    return ids.map((id) => {
      if (isUserId(id)) return id
      throw invalid('to', 'must name people by their id')
    })
  }

  return {
    key: async ({ session, device }) => {
      const { userId } = await requirePerson(objects, tier, session)
      const { publicKey: key } = await vapidKeysOf(requireKey())
      const isId = typeof device === 'string' && DEVICE_ID.test(device)
      return { key, isOn: isId && (await callPerson(userId, 'has', { id: device })) }
    },

    add: async ({ session, host, subscription }) => {
      const { userId } = await requirePerson(objects, tier, session)
      requireKey()
      const { endpoint, keys } = await subscriptionIn(subscription)
      const id = deviceIdOf(endpoint)
      const removeFrom = (owner: string | null) =>
        owner !== null && owner !== userId && callPerson(owner, 'remove', { id })
      // Remove the device from its previous owner first, so that a browser never shows notifications of two people. The owner
      // is replaced only afterwards, so that a retry after a failure still finds the previous owner.
      await removeFrom(await directory.pushOwners('owner', { id }))
      const before = await directory.pushOwners('claim', { id, userId })
      if (before === false) throw notSignedIn()
      await removeFrom(before)
      await callPerson(userId, 'add', { id, endpoint, keys, host })
      // Another person may have claimed the device in the meantime, so remove it again.
      if ((await directory.pushOwners('owner', { id })) !== userId) await callPerson(userId, 'remove', { id })
      return { id }
    },

    remove: async ({ session, id }) => {
      const { userId } = await requirePerson(objects, tier, session)
      if (typeof id !== 'string' || !DEVICE_ID.test(id)) throw invalid('id', 'must be that of a device')
      await callPerson(userId, 'remove', { id })
      await directory.pushOwners('release', { userId, id })
      return null
    },

    send: async ({ to, message }) => {
      requireKey()
      const outgoing = validateNotification(message, settings.icon, Date.now())
      const people = [...new Set(await peopleIn(to))]
      const report: PushReport = { sent: 0, gone: 0, failed: 0 }
      const unreached: string[] = []
      let cause: unknown
      for (let from = 0; from < people.length; from += PEOPLE_AT_ONCE)
        await Promise.all(
          people.slice(from, from + PEOPLE_AT_ONCE).map(async (id) => {
            try {
              const { sent, gone, failed } = await callPerson(id, 'send', outgoing)
              report.sent += sent
              report.gone += gone
              report.failed += failed
            } catch (error) {
              unreached.push(id)
              cause = error
            }
          }),
        )
      if (unreached.length === 0) return report
      if (unreached.length === people.length) throw cause
      return { ...report, unreached }
    },
  }
}
