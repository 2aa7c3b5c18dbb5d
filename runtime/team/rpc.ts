import { emailIn, nameIn, originIn } from '../auth/context.ts'
import { teamInvitation } from '../auth/messages.ts'
import { callMail } from '../email/rpc.ts'
import { newMailId } from '../email/message.ts'
import { emailSettingsOf } from '../email/settings.ts'
import { isTeamId, newTeamId } from '../kernel/access/actor.ts'
import { type LiveContext, rpcMethod } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid, notSignedIn, unwrapResult } from '../kernel/errors.ts'
import { heldError } from '../kernel/objects/hold.ts'
import { accountOf, directoryOf, partitionOf } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import type { TeamRole } from '../types.gen.ts'
import { formatInviteToken, parseInviteToken, TEAMS_PATH } from '../auth/invite-token.ts'
import type { TeamObjectCalls } from './object.ts'
import { teamSettingsOf } from './settings.ts'
import { noSuchInvite, noSuchTeam, OWNER_ROLE, type StoredMember } from './store.ts'
import type { TeamCallsWithRoles, Team, TeamMember } from './types.ts'

const BUILT_IN_ROLES: readonly TeamRole[] = [OWNER_ROLE, 'member']
const ROLE_PATTERN = /^[a-z][A-Za-z0-9]{0,39}$/
const ROLES_MAX = 5

export const handleTeam = rpcMethod<LiveContext, TeamCallsWithRoles>(teamHandlers)

function teamHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<TeamCallsWithRoles> {
  const settings = teamSettingsOf(env)
  // Invitations are mailed only while the capability `email` is on.
  const { isOn: hasEmail } = emailSettingsOf(env)
  const directory = directoryOf(objects, tier)
  const account = (userId: string) => accountOf(objects, tier, userId)

  /** Calls a team's Durable Object. Throws when `id` is not a team id, because calling a Durable Object creates it. */
  async function callTeam<Kind extends keyof TeamObjectCalls>(
    id: unknown,
    kind: Kind,
    ask: TeamObjectCalls[Kind]['ask'],
  ): Promise<TeamObjectCalls[Kind]['answer']> {
    if (!isTeamId(id)) throw noSuchTeam()
    return unwrapResult(await partitionOf(objects, tier, id).team(kind, ask))
  }

  const requireUser = async (session: unknown) => (await requirePerson(objects, tier, session)).userId

  async function reservePlace(userId: string, team: string): Promise<void> {
    const max = settings.maxTeamsPerUser
    if (await account(userId).memberships('reserve', { team, max })) return
    throw new ApiError('conflict', `A person can be in at most ${max} teams.`)
  }

  async function withNames(members: readonly StoredMember[]): Promise<TeamMember[]> {
    const names = await directory.users('names', { ids: members.map(({ user }) => user) })
    return members.map(({ user, role, joined_at }) => ({
      userId: user,
      name: names[user] ?? '',
      role,
      joinedAt: joined_at,
    }))
  }

  return {
    create: async ({ session, name }) => {
      const createdBy = await requireUser(session)
      const team = { id: newTeamId(), name: nameIn(name), createdAt: new Date().toISOString(), createdBy }
      await reservePlace(createdBy, team.id)
      // List the team before its Durable Object exists, because the directory ignores data from teams that it does not list.
      if (!(await directory.teams('reserve', team))) {
        await account(createdBy).memberships('release', { team: team.id })
        throw heldError()
      }
      return callTeam(team.id, 'create', team)
    },

    list: async ({ session }) => {
      const by = await requireUser(session)
      const ids = await account(by).memberships('list', null)
      const views = await Promise.all(ids.map((id) => callTeam(id, 'view', { by })))
      const teams = views.filter((team): team is Team => team !== null)
      return teams.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1))
    },

    get: async ({ session, id, roles }) => {
      const { team, members, invites } = await callTeam(id, 'details', { by: await requireUser(session) })
      return { team, members: await withNames(members), invites, roles: declaredRoles(roles) }
    },

    view: async ({ session, id }) => {
      const by = await requireUser(session)
      return isTeamId(id) ? callTeam(id, 'view', { by }) : null
    },

    rename: async ({ session, id, name }) =>
      callTeam(id, 'rename', { by: await requireUser(session), name: nameIn(name) }),

    invite: async ({ session, id, email, role, roles, origin }) => {
      const by = await requireUser(session)
      const address = email === null || email === undefined ? null : emailIn(email)
      const { origin: at } = originIn(origin)
      const ask = { by, email: address, role: requireRole(role, roles), days: settings.inviteDays }
      const { id: invite, secret, expiresAt } = await callTeam(id, 'invite', ask)
      const url = `${at}${TEAMS_PATH}?invite=${formatInviteToken({ team: id, secret })}`
      if (hasEmail && address !== null) {
        const { team } = await callTeam(id, 'details', { by })
        const mail = teamInvitation(address, team.name, url)
        await callMail(objects, tier, 'offer', { id: newMailId(), kind: 'invitation', mail })
      }
      return { id: invite, url, expiresAt }
    },

    revokeInvite: async ({ session, id, invite }) =>
      callTeam(id, 'revoke', { by: await requireUser(session), invite: shortText(invite) }),

    accept: async ({ session, token }) => {
      const by = await requireUser(session)
      const invite = parseInviteToken(token)
      if (invite === null) throw noSuchInvite()
      const { team: id, secret } = invite
      // Check the secret first, so that a made-up link reserves no membership.
      await callTeam(id, 'check', { by, secret })
      const known = await account(by).account('read', null)
      if (known === null) throw notSignedIn()
      await reservePlace(by, id)
      const guest = { userId: by, email: known.email, emailVerified: known.emailVerified }
      try {
        return await callTeam(id, 'accept', { guest, secret, maxMembers: settings.maxMembers })
      } catch (error) {
        if (error instanceof ApiError) await account(by).memberships('release', { team: id })
        throw error
      }
    },

    setRole: async ({ session, id, user, role, roles }) => {
      const ask = { by: await requireUser(session), user: shortText(user), role: requireRole(role, roles) }
      return callTeam(id, 'setRole', ask)
    },

    remove: async ({ session, id, user }) =>
      callTeam(id, 'remove', { by: await requireUser(session), user: shortText(user) }),

    leave: async ({ session, id }) => {
      const by = await requireUser(session)
      return callTeam(id, 'remove', { by, user: by })
    },

    delete: async ({ session, id }) => callTeam(id, 'end', { by: await requireUser(session) }),

    find: async ({ id }) => {
      const found = isTeamId(id) ? await callTeam(id, 'find', null) : null
      if (found === null) return null
      const { id: team, name, createdAt } = found.team
      return {
        id: team,
        name,
        createdAt,
        members: found.members.length,
        people: await withNames(found.members),
      }
    },
  }
}

const shortText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '')

/** Returns the two roles that every app has, and the roles that the app declares. */
function declaredRoles(declared: unknown): TeamRole[] {
  const names: TeamRole[] = Array.isArray(declared)
    ? declared.filter((role) => typeof role === 'string' && ROLE_PATTERN.test(role))
    : []
  return [...new Set([...BUILT_IN_ROLES, ...names])].slice(0, BUILT_IN_ROLES.length + ROLES_MAX)
}

function requireRole(role: unknown, declared: unknown): TeamRole {
  const roles = declaredRoles(declared)
  const found = roles.find((one) => one === role)
  if (found !== undefined) return found
  throw invalid('role', `must be one of ${roles.join(', ')}`)
}
