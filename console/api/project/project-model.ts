import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { SetProjectModelData } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** A model connection with one of its models, or `inherit` for the default of the organization. */
export type ModelChoice = NonNullable<SetProjectModelData['body']>

/** The AI model that the builds of a project use. Fails with `model_required` while the organization has no model. */
export const projectModelQuery = (projectId: string) =>
  queryOptions({
    // This key begins with the key of the model connections. So a change of a connection also invalidates this query, because the change
    // may replace the project's model.
    queryKey: queryKeys.models.ofProject(projectId),
    queryFn: ({ signal }) => call(api.getProjectModel({ path: { projectId }, signal })),
  })

/** Chooses the model of the project. A running build keeps the model with which it started. */
export const setProjectModel = (projectId: string, choice: ModelChoice) =>
  call(api.setProjectModel({ path: { projectId }, body: choice }))
