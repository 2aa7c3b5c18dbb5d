import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'
import { DeclaredName } from '../../capability-declaration/manifest-fields.ts'

export const team = capability({
  key: 'team',
  title: 'Teams',
  about: 'Signed-in people form teams and share what they do.',
  cost: 'Little. Each team has a small database, paid by requests and storage',
  erasure: 'in part.ts',
  settings: z.object({
    maxMembers: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .meta({
        title: 'Members of a team at most',
        examples: [5],
        description: 'An invitation takes no place until it is accepted.',
      }),
    inviteDays: z.int().min(1).max(30).default(7).meta({
      title: 'Days an invitation is open',
      description: 'After that it must be sent again.',
    }),
    maxTeamsPerUser: z.int().min(1).max(100).default(10).meta({
      title: 'Teams of one person at most',
      description: 'Teams joined and teams made together.',
    }),
  }),
  dependsOn: () => ['auth'],
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  variables: ({ maxMembers, inviteDays, maxTeamsPerUser }) => ({
    TEAM_MAX_MEMBERS: String(maxMembers),
    TEAM_INVITE_DAYS: String(inviteDays),
    TEAM_MAX_PER_USER: String(maxTeamsPerUser),
  }),
  manifest: {
    roles: z.array(DeclaredName).max(5).optional(),
  },
})
