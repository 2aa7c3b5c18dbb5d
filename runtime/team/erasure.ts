import type { ErasedPerson, Erasure } from '../kernel/objects/erasure.ts'
import { accountOf, type AppObjectStub, directoryOf, partitionOf } from '../kernel/objects/objects.ts'

export const teamErasure: Erasure = {
  async count(person) {
    const counts = { removed: { teamMemberships: 0, teamInvitations: 0 }, kept: { sharedRecords: 0 } }
    for (const team of await teamsOf(person)) {
      counts.kept.sharedRecords += await team.countOwned(person.userId)
      const { memberships, invitations } = await team.countMember(person.userId, person.email)
      counts.removed.teamMemberships += memberships
      counts.removed.teamInvitations += invitations
    }
    return counts
  },
  async erase(person) {
    for (const team of await teamsOf(person)) {
      // Remove the person from records before the membership ends: a team is deleted when its last member
      // leaves.
      await team.disown(person.userId)
      await team.eraseMember(person.userId, person.email)
    }
  },
  forget: ({ objects, tier, userId }) => directoryOf(objects, tier).teams('forget', { userId }),
}

/** Returns the teams that may hold data of a person: teams they are in, have left, or were invited to. */
async function teamsOf({ objects, tier, userId, email }: ErasedPerson): Promise<AppObjectStub[]> {
  const directory = directoryOf(objects, tier)
  const inviting = email === null ? [] : await directory.teams('inviting', { email })
  const ever = await accountOf(objects, tier, userId).memberships('ever', null)
  const teams: AppObjectStub[] = []
  for (const id of new Set([...ever, ...inviting]))
    if (await directory.teams('known', { id })) teams.push(partitionOf(objects, tier, id))
  return teams
}
