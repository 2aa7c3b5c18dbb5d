import { appName } from '../../resource-names.ts'
import { operatorSigner } from '../operator/call.ts'
import type { CapabilityActions } from '../capability-actions.ts'

export const actions: CapabilityActions = {
  // The console signs members in to the app with a token. The live worker verifies the token's signature with `OPERATOR_KEY`,
  // and its audience with `APP_NAME`.
  readLive: async (platform, project) => ({
    variables: {
      OPERATOR_KEY: operatorSigner(platform, project).publicKey,
      APP_NAME: appName(project, 'production'),
    },
    bindings: [],
  }),
}
