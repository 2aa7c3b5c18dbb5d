import { isTeamId, isUserId } from '../kernel/access/actor.ts'
import { accountOf, directoryOf, type Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import { teamErasure } from './erasure.ts'
import { teamListHandlers } from './list.ts'
import { membershipHandlers } from './memberships.ts'
import type { Head, Methods } from './object-types.ts'
import { ObjectTeam } from './object.ts'
import type { ListedTeam } from './types.ts'

interface TeamReads {
  /** Returns the teams, newest first. */
  teams(tier: Tier, limit: number): Promise<ListedTeam[]>
}

const createMemberships = (parts: PartContext) => membershipHandlers(parts.ctx.storage, () => parts.isPerson)
const createTeamList = ({ ctx, hold }: PartContext) => teamListHandlers(ctx.storage, () => hold.isHeld)

function createTeam(parts: PartContext): ObjectTeam {
  const { ctx, env, tier, partition, hold } = parts
  return new ObjectTeam({
    ctx,
    hold,
    endSockets: (userId) => parts.endSockets(userId),
    wake: () => parts.own.requestFlush(),
    report: parts.reporter('team'),
    tell: ({ user, isMember, rev }, isGone) =>
      accountOf(env.OBJECTS, tier, user).memberships('told', { team: partition, isMember, rev, isGone }),
    send: (copy) => directoryOf(env.OBJECTS, tier).teams('apply', copy),
    finish: async () => {
      const list = directoryOf(env.OBJECTS, tier)
      // Remove the team from the list first, so that the directory drops records that are still in flight.
      await list.teams('remove', { id: partition })
      await list.dirForget(partition)
      await list.meters('forget', { subject: partition })
      await parts.empty()
    },
  })
}

export const part: Part<Methods, Head, TeamReads, 'team' | 'actorHere' | 'isKept' | 'isKnown'> = {
  members: {
    team: (parts) => parts.once(createTeam),
    actorHere: (parts) => (parts.isTeam ? (actor) => parts.team.actorHere(actor) : (actor) => actor),
    isKept: (parts) => (parts.isTeam ? parts.team.isThere : !isUserId(parts.partition) || parts.isPerson),
    isKnown: (parts) => (partition) =>
      isTeamId(partition)
        ? parts.once(createTeamList).known({ id: partition })
        : !isUserId(partition) || parts.users.find({ id: partition }) !== null,
  },
  methods: {
    memberships: (parts) => async (kind, ask) => parts.once(createMemberships)[kind](ask),
    team: (parts) => (kind, ask) => parts.once(createTeam).answer(kind, ask),
    eraseMember: (parts) => (userId, email) => parts.once(createTeam).erase(userId, email),
    countMember: (parts) => async (userId, email) => parts.once(createTeam).tracesOf(userId, email),
    actorHere: (parts) => async (actor) => {
      const team = parts.once(createTeam)
      return team.isThere ? team.actorHere(actor) : null
    },
    teams: (parts) => async (kind, ask) => parts.once(createTeamList)[kind](ask),
  },
  reads: { teams: (at) => (tier, limit) => directoryOf(at.objects, tier).teams('newest', { limit }) },
  erasure: teamErasure,
  moves: {
    team: (parts) => (parts.isTeam ? parts.once(createTeam) : null),
    memberships: (parts) => parts.once(createMemberships),
  },
}
