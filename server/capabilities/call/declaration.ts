import * as z from 'zod'
import type { NamedProject } from '../../resource-names.ts'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

export const callsName = ({ slug }: NamedProject): string => `${slug}-call`

/** The names under which the secrets are stored. The secrets are stored because the provider shows each secret only once. */
export const SECRET_OF_KIND = { sfu_app: 'sfuSecret', turn_key: 'turnKey' }

export const call = capability({
  key: 'call',
  title: 'Calls',
  about: 'People speak and see each other, browser to browser.',
  cost: 'By use. The sound and picture that your account sends; small calls run between the browsers and send little',
  erasure: 'in part.ts',
  scopes: ['calls.write'],
  settings: z.object({
    mode: z
      .enum(['auto', 'mesh', 'sfu'])
      .default('auto')
      .meta({
        title: 'How calls are carried',
        description: 'mesh: between the browsers; sfu: through the account; auto: by the number of people.',
        examples: ['mesh'],
      }),
    meshMax: z
      .int()
      .min(2)
      .max(6)
      .default(4)
      .meta({
        title: 'People between the browsers at most',
        description: 'With more, a call moves to the account. Where it may not, more are refused.',
        examples: [3],
      }),
    maxPeers: z
      .int()
      .min(2)
      .max(50)
      .default(8)
      .meta({
        title: 'People in a call at most',
        description: 'Open pages are counted; one more is refused.',
        examples: [6],
      }),
    audioOnly: z
      .boolean()
      .default(false)
      .meta({ title: 'Sound only', description: 'No pictures are sent.', examples: [true] }),
  }),
  dependsOn: () => ['live'],
  resources: (project) => [
    { kind: 'sfu_app', name: callsName(project) },
    { kind: 'turn_key', name: callsName(project) },
    sharedObject(project),
    adminWorker(project),
  ],
  bindings: (project, tier) => [liveBinding(project, tier)],
  isLoadedLater: true,
  variables: ({ mode, meshMax, maxPeers, audioOnly }) => ({
    CALL_MODE: mode,
    CALL_MESH_MAX: String(meshMax),
    CALL_MAX_PEERS: String(maxPeers),
    CALL_AUDIO_ONLY: audioOnly ? 'on' : 'off',
  }),
  generated: {
    [SECRET_OF_KIND.sfu_app]: {
      binding: 'SFU_SECRET',
      description: 'is the secret of a Realtime SFU app; its id is the variable `SFU_APP_ID`',
      make: null,
    },
    [SECRET_OF_KIND.turn_key]: {
      binding: 'TURN_KEY',
      description: 'is the token of a Realtime TURN key; its id is the variable `TURN_KEY_ID`',
      make: null,
    },
  },
  byHand:
    'Calls of up to `CALL_MESH_MAX` people (4) need nothing of your account. Larger ones, up to `CALL_MAX_PEERS` (8), go through a ' +
    'Realtime SFU app, and people behind strict firewalls through a TURN key: give the worker with `-live` `SFU_APP_ID` with the secret ' +
    '`SFU_SECRET`, and `TURN_KEY_ID` with `TURN_KEY`. `CALL_MODE` (`auto`, `mesh`, `sfu`) and `CALL_AUDIO_ONLY` (`on`) are the other settings.',
})
