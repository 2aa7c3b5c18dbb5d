import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { SetProjectModelData } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type ModelChoice = NonNullable<SetProjectModelData['body']>

/** The AI model that the builds of a project use. Fails with `model_required` while the organization has no model. */
export const projectModelQuery = (projectId: string) =>
  queryOptions({
    // A change of a model connection may change the project's model. This key begins with the key of the model connections, so such a
    // change also invalidates this query.
    queryKey: queryKeys.models.ofProject(projectId),
    queryFn: ({ signal }) => call(api.getProjectModel({ path: { projectId }, signal })),
  })

export const setProjectModel = (projectId: string, choice: ModelChoice) =>
  call(api.setProjectModel({ path: { projectId }, body: choice }))
