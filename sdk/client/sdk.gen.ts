// @ts-nocheck -- generated code, which does not compile with exactOptionalPropertyTypes; calls of it are still checked
// Made by `npm run generate` from docs/api/openapi.json. Do not edit.

import { client } from './client.gen.ts';
import type { Client, ClientMeta, Options as Options2, RequestResult, ServerSentEventsResult, TDataShape } from './client/index.ts';
import type { AnswerFromDeskData, AnswerFromDeskErrors, AnswerFromDeskResponses, ApproveDeviceData, ApproveDeviceErrors, ApproveDeviceResponses, ArchiveDiscountCodeData, ArchiveDiscountCodeErrors, ArchiveDiscountCodeResponses, ArchivePaymentProductData, ArchivePaymentProductErrors, ArchivePaymentProductResponses, ArchiveProjectData, ArchiveProjectErrors, ArchiveProjectResponses, AttachDomainData, AttachDomainErrors, AttachDomainResponses, BackUpProjectData, BackUpProjectErrors, BackUpProjectResponses, BuildTicketData, BuildTicketErrors, BuildTicketResponses, CancelBuildData, CancelBuildErrors, CancelBuildResponses, CancelFlowRunData, CancelFlowRunErrors, CancelFlowRunResponses, CaptureTicketData, CaptureTicketErrors, CaptureTicketResponses, CheckPaymentKeyData, CheckPaymentKeyErrors, CheckPaymentKeyResponses, ChooseCloudflareAccountData, ChooseCloudflareAccountErrors, ChooseCloudflareAccountResponses, CloseFromDeskData, CloseFromDeskErrors, CloseFromDeskResponses, ConnectCloudflareTokenData, ConnectCloudflareTokenErrors, ConnectCloudflareTokenResponses, CreateDiscountCodeData, CreateDiscountCodeErrors, CreateDiscountCodeResponses, CreateIngestSourceData, CreateIngestSourceErrors, CreateIngestSourceResponses, CreateKeyData, CreateKeyErrors, CreateKeyResponses, CreateModelConnectionData, CreateModelConnectionErrors, CreateModelConnectionResponses, CreatePaymentProductData, CreatePaymentProductErrors, CreatePaymentProductResponses, CreateProjectData, CreateProjectErrors, CreateProjectResponses, CreateRecordData, CreateRecordErrors, CreateRecordResponses, CreateTicketData, CreateTicketErrors, CreateTicketResponses, CreateWebhookData, CreateWebhookErrors, CreateWebhookResponses, DeleteAssetData, DeleteAssetErrors, DeleteAssetResponses, DeleteConnectionData, DeleteConnectionErrors, DeleteConnectionResponses, DeleteIngestSourceData, DeleteIngestSourceErrors, DeleteIngestSourceResponses, DeleteModelConnectionData, DeleteModelConnectionErrors, DeleteModelConnectionResponses, DeleteProjectData, DeleteProjectErrors, DeleteProjectResponses, DeleteRecordData, DeleteRecordErrors, DeleteRecordResponses, DeleteWebhookData, DeleteWebhookErrors, DeleteWebhookResponses, DenyDeviceData, DenyDeviceErrors, DenyDeviceResponses, EraseAppUserData, EraseAppUserErrors, EraseAppUserResponses, ExportAccountData, ExportAccountErrors, ExportAccountResponses, ExportActivityData, ExportActivityErrors, ExportActivityResponses, FinalizeAssetData, FinalizeAssetErrors, FinalizeAssetResponses, FinalizeAttachmentData, FinalizeAttachmentErrors, FinalizeAttachmentResponses, FinishConnectionData, FinishConnectionErrors, GetAiSpendData, GetAiSpendErrors, GetAiSpendResponses, GetAnalyticsData, GetAnalyticsErrors, GetAnalyticsResponses, GetAppAccessData, GetAppAccessErrors, GetAppAccessResponses, GetAssetData, GetAssetErrors, GetAssetResponses, GetAttachmentData, GetAttachmentErrors, GetAttachmentResponses, GetAttentionData, GetAttentionErrors, GetAttentionResponses, GetBillingData, GetBillingErrors, GetBillingResponses, GetBuildQueueData, GetBuildQueueErrors, GetBuildQueueResponses, GetCapabilityData, GetCapabilityErrors, GetCapabilityResponses, GetConnectionsData, GetConnectionsErrors, GetConnectionsResponses, GetDeployData, GetDeployErrors, GetDeployResponses, GetDeviceGrantData, GetDeviceGrantErrors, GetDeviceGrantResponses, GetDomainStatusData, GetDomainStatusErrors, GetDomainStatusResponses, GetEmailStatusData, GetEmailStatusErrors, GetEmailStatusResponses, GetEventsSummaryData, GetEventsSummaryErrors, GetEventsSummaryResponses, GetFileObjectData, GetFileObjectErrors, GetFileObjectResponses, GetFlowRunData, GetFlowRunErrors, GetFlowRunResponses, GetHealthData, GetHealthErrors, GetHealthResponses, GetInvitationData, GetInvitationErrors, GetInvitationResponses, GetLivenessData, GetLivenessErrors, GetLivenessResponses, GetMeData, GetMeErrors, GetMeResponses, GetMeterUsageData, GetMeterUsageErrors, GetMeterUsageResponses, GetObjectStorageStatusData, GetObjectStorageStatusErrors, GetObjectStorageStatusResponses, GetOpenApiData, GetOpenApiErrors, GetOpenApiResponses, GetProjectData, GetProjectErrors, GetProjectModelData, GetProjectModelErrors, GetProjectModelResponses, GetProjectResponses, GetReadinessData, GetReadinessErrors, GetReadinessResponses, GetReadmeData, GetReadmeErrors, GetReadmeResponses, GetRenderSpendData, GetRenderSpendErrors, GetRenderSpendResponses, GetRunData, GetRunErrors, GetRunResponses, GetServiceMetricsData, GetServiceMetricsErrors, GetServiceMetricsResponses, GetServiceReadinessData, GetServiceReadinessErrors, GetServiceReadinessResponses, GetSourceData, GetSourceErrors, GetSourceResponses, GetSourceZipData, GetSourceZipErrors, GetSourceZipResponses, GetTicketData, GetTicketErrors, GetTicketResponses, GetTicketRollupsData, GetTicketRollupsErrors, GetTicketRollupsResponses, GetTicketStatsData, GetTicketStatsErrors, GetTicketStatsResponses, GetTicketTreeData, GetTicketTreeErrors, GetTicketTreeResponses, GetTokenUseData, GetTokenUseErrors, GetTokenUseResponses, GetTrafficData, GetTrafficErrors, GetTrafficResponses, GetUsageData, GetUsageErrors, GetUsageResponses, GetVersionDiffData, GetVersionDiffErrors, GetVersionDiffResponses, GetVideoSpendData, GetVideoSpendErrors, GetVideoSpendResponses, GetVideoStatusData, GetVideoStatusErrors, GetVideoStatusResponses, ImportRecordsData, ImportRecordsErrors, ImportRecordsResponses, InitAssetUploadData, InitAssetUploadErrors, InitAssetUploadResponses, InitAttachmentUploadData, InitAttachmentUploadErrors, InitAttachmentUploadResponses, ListActivityData, ListActivityErrors, ListActivityResponses, ListAppMailsData, ListAppMailsErrors, ListAppMailsResponses, ListAppOutboxData, ListAppOutboxErrors, ListAppOutboxResponses, ListAppPeopleData, ListAppPeopleErrors, ListAppPeopleResponses, ListAppUsersData, ListAppUsersErrors, ListAppUsersResponses, ListAssetsData, ListAssetsErrors, ListAssetsResponses, ListCallsData, ListCallsErrors, ListCallsResponses, ListCapabilitiesData, ListCapabilitiesErrors, ListCapabilitiesResponses, ListCeilingsData, ListCeilingsErrors, ListCeilingsResponses, ListCloudflareAccountsData, ListCloudflareAccountsErrors, ListCloudflareAccountsResponses, ListCollectionsData, ListCollectionsErrors, ListCollectionsResponses, ListDeploymentsData, ListDeploymentsErrors, ListDeploymentsResponses, ListDeskData, ListDeskErrors, ListDeskResponses, ListDiscountCodesData, ListDiscountCodesErrors, ListDiscountCodesResponses, ListEntitlementsData, ListEntitlementsErrors, ListEntitlementsResponses, ListFileObjectsData, ListFileObjectsErrors, ListFileObjectsResponses, ListFilesData, ListFilesErrors, ListFilesResponses, ListFlowRunsData, ListFlowRunsErrors, ListFlowRunsResponses, ListHelpData, ListHelpErrors, ListHelpResponses, ListHistoryData, ListHistoryErrors, ListHistoryResponses, ListIngestSourcesData, ListIngestSourcesErrors, ListIngestSourcesResponses, ListKeysData, ListKeysErrors, ListKeysResponses, ListLiveErrorsData, ListLiveErrorsErrors, ListLiveErrorsResponses, ListLocalModelsData, ListLocalModelsErrors, ListLocalModelsResponses, ListModelConnectionsData, ListModelConnectionsErrors, ListModelConnectionsResponses, ListMovesData, ListMovesErrors, ListMovesResponses, ListOrdersData, ListOrdersErrors, ListOrdersResponses, ListPackagesData, ListPackagesErrors, ListPackagesResponses, ListPaymentProductsData, ListPaymentProductsErrors, ListPaymentProductsResponses, ListPlanMessagesData, ListPlanMessagesErrors, ListPlanMessagesResponses, ListProjectsData, ListProjectsErrors, ListProjectsResponses, ListRecordPagesData, ListRecordPagesErrors, ListRecordPagesResponses, ListRecordsData, ListRecordsErrors, ListRecordsResponses, ListRunEventsData, ListRunEventsErrors, ListRunEventsResponses, ListRunsData, ListRunsErrors, ListRunsResponses, ListScheduledJobsData, ListScheduledJobsErrors, ListScheduledJobsResponses, ListTeamsData, ListTeamsErrors, ListTeamsResponses, ListTicketLabelsData, ListTicketLabelsErrors, ListTicketLabelsResponses, ListTicketsData, ListTicketsErrors, ListTicketsResponses, ListVersionsData, ListVersionsErrors, ListVersionsResponses, ListVideosData, ListVideosErrors, ListVideosResponses, ListWebhooksData, ListWebhooksErrors, ListWebhooksResponses, LookForModelsData, LookForModelsErrors, LookForModelsResponses, OnboardDomainData, OnboardDomainErrors, OnboardDomainResponses, OnboardEmailData, OnboardEmailErrors, OnboardEmailResponses, OpenAppAsStaffData, OpenAppAsStaffErrors, OpenAppAsStaffResponses, OpenHelpData, OpenHelpErrors, OpenHelpResponses, OpenPortalData, OpenPortalErrors, OpenPortalResponses, PollDeviceTokenData, PollDeviceTokenErrors, PollDeviceTokenResponses, PostIdeaData, PostIdeaErrors, PostIdeaResponses, PreviewProjectData, PreviewProjectErrors, PreviewProjectResponses, QueryRecordsData, QueryRecordsErrors, QueryRecordsResponses, QueueBuildsData, QueueBuildsErrors, QueueBuildsResponses, ReadAccountDeletionData, ReadAccountDeletionErrors, ReadAccountDeletionResponses, ReadDeskAttachmentData, ReadDeskAttachmentErrors, ReadDeskAttachmentResponses, ReadDeskData, ReadDeskErrors, ReadDeskResponses, ReadHelpAttachmentData, ReadHelpAttachmentErrors, ReadHelpAttachmentResponses, ReadHelpData, ReadHelpErrors, ReadHelpResponses, ReadMemberBelongingsData, ReadMemberBelongingsErrors, ReadMemberBelongingsResponses, ReadSecurityPolicyData, ReadSecurityPolicyErrors, ReadSecurityPolicyResponses, ReadSsoProviderData, ReadSsoProviderErrors, ReadSsoProviderResponses, ReceiveBillingEventData, ReceiveBillingEventErrors, ReceiveBillingEventResponses, ReconcileProjectData, ReconcileProjectErrors, ReconcileProjectResponses, RemoveDomainData, RemoveDomainErrors, RemoveDomainResponses, RemoveFromBuildQueueData, RemoveFromBuildQueueErrors, RemoveFromBuildQueueResponses, RemoveResourceData, RemoveResourceErrors, RemoveResourceResponses, RemoveSsoProviderData, RemoveSsoProviderErrors, RemoveSsoProviderResponses, ReplaceMailboxesData, ReplaceMailboxesErrors, ReplaceMailboxesResponses, ReplaceRecordData, ReplaceRecordErrors, ReplaceRecordResponses, ReplyToHelpData, ReplyToHelpErrors, ReplyToHelpResponses, RequestDeviceCodeData, RequestDeviceCodeErrors, RequestDeviceCodeResponses, RetryDeploymentData, RetryDeploymentErrors, RetryDeploymentResponses, RetryPlanData, RetryPlanErrors, RetryPlanResponses, RevertProjectData, RevertProjectErrors, RevertProjectResponses, RevokeKeyData, RevokeKeyErrors, RevokeKeyResponses, RollBackResourceData, RollBackResourceErrors, RollBackResourceResponses, RunAiData, RunAiErrors, RunAiResponses, RunRenderData, RunRenderErrors, RunRenderResponses, SaveSsoProviderData, SaveSsoProviderErrors, SaveSsoProviderResponses, SearchTicketsData, SearchTicketsErrors, SearchTicketsResponses, SendPlanMessageData, SendPlanMessageErrors, SendPlanMessageResponses, SetAppAccessData, SetAppAccessErrors, SetAppAccessResponses, SetAppUserRoleData, SetAppUserRoleErrors, SetAppUserRoleResponses, SetAssetAccessData, SetAssetAccessErrors, SetAssetAccessResponses, SetCapabilityData, SetCapabilityErrors, SetCapabilityResponses, SetPaymentPriceData, SetPaymentPriceErrors, SetPaymentPriceResponses, SetProjectModelData, SetProjectModelErrors, SetProjectModelResponses, SettleMemberBelongingsData, SettleMemberBelongingsErrors, SettleMemberBelongingsResponses, SetTokenLimitsData, SetTokenLimitsErrors, SetTokenLimitsResponses, ShipProjectData, ShipProjectErrors, ShipProjectResponses, StartCheckoutData, StartCheckoutErrors, StartCheckoutResponses, StartConnectionData, StartConnectionErrors, StartConnectionResponses, SteerBuildData, SteerBuildErrors, SteerBuildResponses, StepAccountDeletionData, StepAccountDeletionErrors, StepAccountDeletionResponses, StopPlanData, StopPlanErrors, StopPlanResponses, StorePreviewErrorsData, StorePreviewErrorsErrors, StorePreviewErrorsResponses, StreamBuildData, StreamBuildErrors, StreamBuildResponse, StreamBuildResponses, StreamPlanData, StreamPlanErrors, StreamPlanResponse, StreamPlanResponses, TestModelConnectionData, TestModelConnectionErrors, TestModelConnectionResponses, UnarchiveProjectData, UnarchiveProjectErrors, UnarchiveProjectResponses, UpdateModelConnectionData, UpdateModelConnectionErrors, UpdateModelConnectionResponses, UpdateProjectData, UpdateProjectErrors, UpdateProjectResponses, UpdateSecurityPolicyData, UpdateSecurityPolicyErrors, UpdateSecurityPolicyResponses, UpdateTicketData, UpdateTicketErrors, UpdateTicketResponses, UploadHelpAttachmentData, UploadHelpAttachmentErrors, UploadHelpAttachmentResponses, VerifyEmailData, VerifyEmailErrors, VerifyEmailResponses, VerifySsoDomainData, VerifySsoDomainErrors, VerifySsoDomainResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

/**
 * List projects, newest first
 *
 * Access: projects:read.
 */
export const listProjects = <ThrowOnError extends boolean = false>(options?: Options<ListProjectsData, ThrowOnError>): RequestResult<ListProjectsResponses, ListProjectsErrors, ThrowOnError> => (options?.client ?? client).get<ListProjectsResponses, ListProjectsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects',
    ...options
});

/**
 * Create a project
 *
 * Access: projects:write.
 */
export const createProject = <ThrowOnError extends boolean = false>(options?: Options<CreateProjectData, ThrowOnError>): RequestResult<CreateProjectResponses, CreateProjectErrors, ThrowOnError> => (options?.client ?? client).post<CreateProjectResponses, CreateProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options?.headers
    }
});

/**
 * Delete a project and everything it has in the connected account
 *
 * A call takes at most 20 seconds. While `teardown.remaining` is above zero, the project still exists but accepts no builds or ships; call again to continue. At zero it is deleted. The backed-up repository is not touched. With `leaveStuck`, resources that cannot be removed (or all of them while no cloud account is connected) stay in the account and are listed in `left` and in the activity log. Access: deploy:write.
 */
export const deleteProject = <ThrowOnError extends boolean = false>(options: Options<DeleteProjectData, ThrowOnError>): RequestResult<DeleteProjectResponses, DeleteProjectErrors, ThrowOnError> => (options.client ?? client).delete<DeleteProjectResponses, DeleteProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read one project
 *
 * Access: projects:read.
 */
export const getProject = <ThrowOnError extends boolean = false>(options: Options<GetProjectData, ThrowOnError>): RequestResult<GetProjectResponses, GetProjectErrors, ThrowOnError> => (options.client ?? client).get<GetProjectResponses, GetProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}',
    ...options
});

/**
 * Rename a project or set its address
 *
 * Access: projects:write.
 */
export const updateProject = <ThrowOnError extends boolean = false>(options: Options<UpdateProjectData, ThrowOnError>): RequestResult<UpdateProjectResponses, UpdateProjectErrors, ThrowOnError> => (options.client ?? client).patch<UpdateProjectResponses, UpdateProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read whether the live app asks for an access code
 *
 * Access: projects:read.
 */
export const getAppAccess = <ThrowOnError extends boolean = false>(options: Options<GetAppAccessData, ThrowOnError>): RequestResult<GetAppAccessResponses, GetAppAccessErrors, ThrowOnError> => (options.client ?? client).get<GetAppAccessResponses, GetAppAccessErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/access',
    ...options
});

/**
 * Put the live app behind an access code, or open it again
 *
 * The code is stored as a keyed hash and never returned; null removes it. The running app applies it within seconds, without a build (`applied`), and later ships and rollbacks keep it. A new code ends the sessions that the previous code opened. The preview is not affected. Access: projects:write.
 */
export const setAppAccess = <ThrowOnError extends boolean = false>(options: Options<SetAppAccessData, ThrowOnError>): RequestResult<SetAppAccessResponses, SetAppAccessErrors, ThrowOnError> => (options.client ?? client).put<SetAppAccessResponses, SetAppAccessErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/access',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Take a project offline and keep everything it has
 *
 * Frees its live slot. The preview is removed too: `previewUrl` is null until the next build or preview. Archiving again changes nothing, except that it tries again to take an app offline that was not. Access: deploy:write.
 */
export const archiveProject = <ThrowOnError extends boolean = false>(options: Options<ArchiveProjectData, ThrowOnError>): RequestResult<ArchiveProjectResponses, ArchiveProjectErrors, ThrowOnError> => (options.client ?? client).post<ArchiveProjectResponses, ArchiveProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/archive',
    ...options
});

/**
 * Bring an archived project back; ship it to serve again
 *
 * Changes nothing for a project that is not archived. Access: deploy:write.
 */
export const unarchiveProject = <ThrowOnError extends boolean = false>(options: Options<UnarchiveProjectData, ThrowOnError>): RequestResult<UnarchiveProjectResponses, UnarchiveProjectErrors, ThrowOnError> => (options.client ?? client).post<UnarchiveProjectResponses, UnarchiveProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/unarchive',
    ...options
});

/**
 * List tickets, newest first
 *
 * Without a limit every ticket is returned. Access: projects:read.
 */
export const listTickets = <ThrowOnError extends boolean = false>(options: Options<ListTicketsData, ThrowOnError>): RequestResult<ListTicketsResponses, ListTicketsErrors, ThrowOnError> => (options.client ?? client).get<ListTicketsResponses, ListTicketsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets',
    ...options
});

/**
 * Write a ticket
 *
 * Access: tickets:write.
 */
export const createTicket = <ThrowOnError extends boolean = false>(options: Options<CreateTicketData, ThrowOnError>): RequestResult<CreateTicketResponses, CreateTicketErrors, ThrowOnError> => (options.client ?? client).post<CreateTicketResponses, CreateTicketErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Capture a ticket from a sentence
 *
 * The sentence is kept verbatim in `origin`, white space included. If the model fails, the ticket has only the sentence. The model sees the attachments. Access: tickets:write.
 */
export const captureTicket = <ThrowOnError extends boolean = false>(options: Options<CaptureTicketData, ThrowOnError>): RequestResult<CaptureTicketResponses, CaptureTicketErrors, ThrowOnError> => (options.client ?? client).post<CaptureTicketResponses, CaptureTicketErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/capture',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Count tickets by status, type and priority
 *
 * Access: projects:read.
 */
export const getTicketStats = <ThrowOnError extends boolean = false>(options: Options<GetTicketStatsData, ThrowOnError>): RequestResult<GetTicketStatsResponses, GetTicketStatsErrors, ThrowOnError> => (options.client ?? client).get<GetTicketStatsResponses, GetTicketStatsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/stats',
    ...options
});

/**
 * List the tickets directly below another one, oldest first
 *
 * Each ticket has the number of its direct children. A parent that is not a ticket of the project is refused. Access: projects:read.
 */
export const getTicketTree = <ThrowOnError extends boolean = false>(options: Options<GetTicketTreeData, ThrowOnError>): RequestResult<GetTicketTreeResponses, GetTicketTreeErrors, ThrowOnError> => (options.client ?? client).get<GetTicketTreeResponses, GetTicketTreeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/tree',
    ...options
});

/**
 * Find tickets that satisfy every filter, newest first
 *
 * A text without three adjacent letters (a to z) or digits, and a filter by type or priority alone, are searched in 50,000 tickets at a time. Such a page may have few tickets or none and still have a next page. Access: projects:read.
 */
export const searchTickets = <ThrowOnError extends boolean = false>(options: Options<SearchTicketsData, ThrowOnError>): RequestResult<SearchTicketsResponses, SearchTicketsErrors, ThrowOnError> => (options.client ?? client).get<SearchTicketsResponses, SearchTicketsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/search',
    ...options
});

/**
 * List every label in use, the most used first
 *
 * Labels that differ only in case count as one, in the spelling that was used first. Access: projects:read.
 */
export const listTicketLabels = <ThrowOnError extends boolean = false>(options: Options<ListTicketLabelsData, ThrowOnError>): RequestResult<ListTicketLabelsResponses, ListTicketLabelsErrors, ThrowOnError> => (options.client ?? client).get<ListTicketLabelsResponses, ListTicketLabelsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/labels',
    ...options
});

/**
 * Count everything below some tickets
 *
 * A read that is sent as POST because of the many ids. Ids that are not tickets of the project are left out. Access: projects:read.
 */
export const getTicketRollups = <ThrowOnError extends boolean = false>(options: Options<GetTicketRollupsData, ThrowOnError>): RequestResult<GetTicketRollupsResponses, GetTicketRollupsErrors, ThrowOnError> => (options.client ?? client).post<GetTicketRollupsResponses, GetTicketRollupsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/rollups',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read one ticket
 *
 * Access: projects:read.
 */
export const getTicket = <ThrowOnError extends boolean = false>(options: Options<GetTicketData, ThrowOnError>): RequestResult<GetTicketResponses, GetTicketErrors, ThrowOnError> => (options.client ?? client).get<GetTicketResponses, GetTicketErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}',
    ...options
});

/**
 * Change fields of a ticket
 *
 * Access: tickets:write.
 */
export const updateTicket = <ThrowOnError extends boolean = false>(options: Options<UpdateTicketData, ThrowOnError>): RequestResult<UpdateTicketResponses, UpdateTicketErrors, ThrowOnError> => (options.client ?? client).patch<UpdateTicketResponses, UpdateTicketErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the product README
 *
 * Markdown, written by the Plan agent; an empty text before there is one. Access: projects:read.
 */
export const getReadme = <ThrowOnError extends boolean = false>(options: Options<GetReadmeData, ThrowOnError>): RequestResult<GetReadmeResponses, GetReadmeErrors, ThrowOnError> => (options.client ?? client).get<GetReadmeResponses, GetReadmeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/readme',
    ...options
});

/**
 * List the messages of the plan thread, newest first
 *
 * A reply is listed once it is complete. Access: projects:read.
 */
export const listPlanMessages = <ThrowOnError extends boolean = false>(options: Options<ListPlanMessagesData, ThrowOnError>): RequestResult<ListPlanMessagesResponses, ListPlanMessagesErrors, ThrowOnError> => (options.client ?? client).get<ListPlanMessagesResponses, ListPlanMessagesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/plan/messages',
    ...options
});

/**
 * Send the Plan agent a message and wait for its reply
 *
 * The agent reads the project and may write tickets and the README. A project has one reply at a time. Closing the connection does not stop it: the reply is in the thread afterwards. Access: tickets:write.
 */
export const sendPlanMessage = <ThrowOnError extends boolean = false>(options: Options<SendPlanMessageData, ThrowOnError>): RequestResult<SendPlanMessageResponses, SendPlanMessageErrors, ThrowOnError> => (options.client ?? client).post<SendPlanMessageResponses, SendPlanMessageErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/plan/message',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send the Plan agent a message and watch its reply, or run a failed exchange again
 *
 * Frames are delta (text, reasoning, characters of a tool call) and tool (one per call), then done with the stored reply, or error. Frames are not stored: after a lost connection read the plan messages. Access: tickets:write.
 */
export const streamPlan = <ThrowOnError extends boolean = false>(options: Options<StreamPlanData, ThrowOnError, StreamPlanResponse>): Promise<ServerSentEventsResult<StreamPlanResponses>> => (options.client ?? client).sse.post<StreamPlanResponses, StreamPlanErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/plan/stream',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Stop the reply that is being written
 *
 * The text so far is kept with the status stopped. `stopped` is false when no reply was being written. Access: tickets:write.
 */
export const stopPlan = <ThrowOnError extends boolean = false>(options: Options<StopPlanData, ThrowOnError>): RequestResult<StopPlanResponses, StopPlanErrors, ThrowOnError> => (options.client ?? client).post<StopPlanResponses, StopPlanErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/plan/stop',
    ...options
});

/**
 * Run the last failed exchange again and wait for its reply
 *
 * The failed reply is replaced. The agent learns what it has already written, so that nothing is created twice. Access: tickets:write.
 */
export const retryPlan = <ThrowOnError extends boolean = false>(options: Options<RetryPlanData, ThrowOnError>): RequestResult<RetryPlanResponses, RetryPlanErrors, ThrowOnError> => (options.client ?? client).post<RetryPlanResponses, RetryPlanErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/plan/retry',
    ...options
});

/**
 * Build a ticket and wait for the result
 *
 * Responds when the app is built, or when the build asks questions or says why it wrote nothing. Post again with answers to continue; a question without an answer takes its default. Closing the connection does not cancel the build. Access: build:write.
 */
export const buildTicket = <ThrowOnError extends boolean = false>(options: Options<BuildTicketData, ThrowOnError>): RequestResult<BuildTicketResponses, BuildTicketErrors, ThrowOnError> => (options.client ?? client).post<BuildTicketResponses, BuildTicketErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Build a ticket and watch it, or reconnect to a build
 *
 * Starts a build, attaches to the running one, or reconnects with the run and the last seq (or Last-Event-ID). Frames of a run are numbered from 1 without gaps; the stream ends with one done or error. Access: build:write.
 */
export const streamBuild = <ThrowOnError extends boolean = false>(options: Options<StreamBuildData, ThrowOnError, StreamBuildResponse>): Promise<ServerSentEventsResult<StreamBuildResponses>> => (options.client ?? client).sse.post<StreamBuildResponses, StreamBuildErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/stream',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Cancel the running build of a ticket
 *
 * Access: build:write.
 */
export const cancelBuild = <ThrowOnError extends boolean = false>(options: Options<CancelBuildData, ThrowOnError>): RequestResult<CancelBuildResponses, CancelBuildErrors, ThrowOnError> => (options.client ?? client).post<CancelBuildResponses, CancelBuildErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/cancel',
    ...options
});

/**
 * List builds that need a person, and those that ended
 *
 * The latest build of each ticket in progress or in review, newest first: the 1,000 newest that wait for an answer, and the 200 newest others that were started in the last seven days and ended. A ticket whose build is running or queued is left out, and so are projects that are archived or being deleted. Access: projects:read.
 */
export const getAttention = <ThrowOnError extends boolean = false>(options?: Options<GetAttentionData, ThrowOnError>): RequestResult<GetAttentionResponses, GetAttentionErrors, ThrowOnError> => (options?.client ?? client).get<GetAttentionResponses, GetAttentionErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/attention',
    ...options
});

/**
 * List build runs, newest first
 *
 * Access: projects:read.
 */
export const listRuns = <ThrowOnError extends boolean = false>(options: Options<ListRunsData, ThrowOnError>): RequestResult<ListRunsResponses, ListRunsErrors, ThrowOnError> => (options.client ?? client).get<ListRunsResponses, ListRunsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/runs',
    ...options
});

/**
 * Read one build run
 *
 * Access: projects:read.
 */
export const getRun = <ThrowOnError extends boolean = false>(options: Options<GetRunData, ThrowOnError>): RequestResult<GetRunResponses, GetRunErrors, ThrowOnError> => (options.client ?? client).get<GetRunResponses, GetRunErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/runs/{runId}',
    ...options
});

/**
 * List the stored frames of a run
 *
 * At most 1000 at a time, after the given seq. Access: projects:read.
 */
export const listRunEvents = <ThrowOnError extends boolean = false>(options: Options<ListRunEventsData, ThrowOnError>): RequestResult<ListRunEventsResponses, ListRunEventsErrors, ThrowOnError> => (options.client ?? client).get<ListRunEventsResponses, ListRunEventsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/runs/{runId}/events',
    ...options
});

/**
 * Read the model that a project builds with
 *
 * Access: projects:read.
 */
export const getProjectModel = <ThrowOnError extends boolean = false>(options: Options<GetProjectModelData, ThrowOnError>): RequestResult<GetProjectModelResponses, GetProjectModelErrors, ThrowOnError> => (options.client ?? client).get<GetProjectModelResponses, GetProjectModelErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/model',
    ...options
});

/**
 * Choose the model that a project builds with
 *
 * Access: projects:write.
 */
export const setProjectModel = <ThrowOnError extends boolean = false>(options: Options<SetProjectModelData, ThrowOnError>): RequestResult<SetProjectModelResponses, SetProjectModelErrors, ThrowOnError> => (options.client ?? client).put<SetProjectModelResponses, SetProjectModelErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/model',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Send a message to the running build
 *
 * The agent reads the message before its next model call and does not finish before that. A message that arrives after publishing has begun is given to the next build of the ticket. Access: build:write.
 */
export const steerBuild = <ThrowOnError extends boolean = false>(options: Options<SteerBuildData, ThrowOnError>): RequestResult<SteerBuildResponses, SteerBuildErrors, ThrowOnError> => (options.client ?? client).post<SteerBuildResponses, SteerBuildErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/tickets/{ticketId}/build/steer',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read what is being built and what waits, in order
 *
 * Access: projects:read.
 */
export const getBuildQueue = <ThrowOnError extends boolean = false>(options: Options<GetBuildQueueData, ThrowOnError>): RequestResult<GetBuildQueueResponses, GetBuildQueueErrors, ThrowOnError> => (options.client ?? client).get<GetBuildQueueResponses, GetBuildQueueErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/build/queue',
    ...options
});

/**
 * Queue tickets to be built one after another
 *
 * The tickets are queued in the order given, behind those that wait already, and no connection is held. A ticket that asks questions, fails, or has an attachment that its model cannot read leaves the queue, and the queue continues; `build.refused` of the ticket says why. When the builds of this hour are used up, the queue waits. Access: build:write.
 */
export const queueBuilds = <ThrowOnError extends boolean = false>(options: Options<QueueBuildsData, ThrowOnError>): RequestResult<QueueBuildsResponses, QueueBuildsErrors, ThrowOnError> => (options.client ?? client).post<QueueBuildsResponses, QueueBuildsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/build/queue',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Take a ticket out of the queue; a running build is untouched
 *
 * Access: build:write.
 */
export const removeFromBuildQueue = <ThrowOnError extends boolean = false>(options: Options<RemoveFromBuildQueueData, ThrowOnError>): RequestResult<RemoveFromBuildQueueResponses, RemoveFromBuildQueueErrors, ThrowOnError> => (options.client ?? client).delete<RemoveFromBuildQueueResponses, RemoveFromBuildQueueErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/build/queue/{ticketId}',
    ...options
});

/**
 * Store errors of the preview for the next build of a ticket
 *
 * The newest 50 are kept until the next build of the ticket has read them. An empty list clears them. `stored` is how many are kept now. Access: build:write.
 */
export const storePreviewErrors = <ThrowOnError extends boolean = false>(options: Options<StorePreviewErrorsData, ThrowOnError>): RequestResult<StorePreviewErrorsResponses, StorePreviewErrorsErrors, ThrowOnError> => (options.client ?? client).post<StorePreviewErrorsResponses, StorePreviewErrorsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/preview-errors',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the tokens spent, in total and per model
 *
 * Access: projects:read.
 */
export const getUsage = <ThrowOnError extends boolean = false>(options: Options<GetUsageData, ThrowOnError>): RequestResult<GetUsageResponses, GetUsageErrors, ThrowOnError> => (options.client ?? client).get<GetUsageResponses, GetUsageErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/usage',
    ...options
});

/**
 * Read all files of the newest version; null before the first build
 *
 * Access: projects:read.
 */
export const getSource = <ThrowOnError extends boolean = false>(options: Options<GetSourceData, ThrowOnError>): RequestResult<GetSourceResponses, GetSourceErrors, ThrowOnError> => (options.client ?? client).get<GetSourceResponses, GetSourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/source',
    ...options
});

/**
 * List the paths of the newest version
 *
 * Access: projects:read.
 */
export const listFiles = <ThrowOnError extends boolean = false>(options: Options<ListFilesData, ThrowOnError>): RequestResult<ListFilesResponses, ListFilesErrors, ThrowOnError> => (options.client ?? client).get<ListFilesResponses, ListFilesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/files',
    ...options
});

/**
 * List the npm packages that the newest version has beyond those of every app
 *
 * Access: projects:read.
 */
export const listPackages = <ThrowOnError extends boolean = false>(options: Options<ListPackagesData, ThrowOnError>): RequestResult<ListPackagesResponses, ListPackagesErrors, ThrowOnError> => (options.client ?? client).get<ListPackagesResponses, ListPackagesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/packages',
    ...options
});

/**
 * List the commits of a project, newest first
 *
 * Access: projects:read.
 */
export const listVersions = <ThrowOnError extends boolean = false>(options: Options<ListVersionsData, ThrowOnError>): RequestResult<ListVersionsResponses, ListVersionsErrors, ThrowOnError> => (options.client ?? client).get<ListVersionsResponses, ListVersionsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/versions',
    ...options
});

/**
 * Compare a version with the one before it, or with `base`
 *
 * Access: projects:read.
 */
export const getVersionDiff = <ThrowOnError extends boolean = false>(options: Options<GetVersionDiffData, ThrowOnError>): RequestResult<GetVersionDiffResponses, GetVersionDiffErrors, ThrowOnError> => (options.client ?? client).get<GetVersionDiffResponses, GetVersionDiffErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/versions/{sha}/diff',
    ...options
});

/**
 * Restore an earlier version
 *
 * A new commit with the tree of that version, so a revert can be reverted. Migrations of the data are kept. The preview follows in the background. Access: build:write.
 */
export const revertProject = <ThrowOnError extends boolean = false>(options: Options<RevertProjectData, ThrowOnError>): RequestResult<RevertProjectResponses, RevertProjectErrors, ThrowOnError> => (options.client ?? client).post<RevertProjectResponses, RevertProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/versions/{sha}/revert',
    ...options
});

/**
 * The newest version as a zip; 404 before the first build
 *
 * Access: projects:read.
 */
export const getSourceZip = <ThrowOnError extends boolean = false>(options: Options<GetSourceZipData, ThrowOnError>): RequestResult<GetSourceZipResponses, GetSourceZipErrors, ThrowOnError> => (options.client ?? client).get<GetSourceZipResponses, GetSourceZipErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/source.zip',
    ...options
});

/**
 * What happened to a project, newest first: builds, reverts, ships, rollbacks, renames, archive
 *
 * Access: projects:read.
 */
export const listHistory = <ThrowOnError extends boolean = false>(options: Options<ListHistoryData, ThrowOnError>): RequestResult<ListHistoryResponses, ListHistoryErrors, ThrowOnError> => (options.client ?? client).get<ListHistoryResponses, ListHistoryErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/history',
    ...options
});

/**
 * Push the code with its history to the connected code host
 *
 * Creates a private repository under the address of the project when it is missing. A branch that moved on there is never overwritten: 409. Access: build:write.
 */
export const backUpProject = <ThrowOnError extends boolean = false>(options: Options<BackUpProjectData, ThrowOnError>): RequestResult<BackUpProjectResponses, BackUpProjectErrors, ThrowOnError> => (options.client ?? client).post<BackUpProjectResponses, BackUpProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/backup',
    ...options
});

/**
 * Read what is deployed, and whether it is the last build
 *
 * Access: projects:read.
 */
export const getDeploy = <ThrowOnError extends boolean = false>(options: Options<GetDeployData, ThrowOnError>): RequestResult<GetDeployResponses, GetDeployErrors, ThrowOnError> => (options.client ?? client).get<GetDeployResponses, GetDeployErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/deploy',
    ...options
});

/**
 * Ship the last build
 *
 * Responds once the app serves; after 60 seconds it responds `deploying` and continues in the background. A project in the local cloud moves to another account that is connected: until the new app serves, the old one keeps serving and refuses changes. Access: deploy:write.
 */
export const shipProject = <ThrowOnError extends boolean = false>(options: Options<ShipProjectData, ThrowOnError>): RequestResult<ShipProjectResponses, ShipProjectErrors, ThrowOnError> => (options.client ?? client).post<ShipProjectResponses, ShipProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/deploy',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the deployment state and the capabilities that are not ready yet
 *
 * A resource that is missing, was replaced, cannot be reached or has no connected cloud account is listed in `failed` and is never an error. Access: projects:read.
 */
export const getReadiness = <ThrowOnError extends boolean = false>(options: Options<GetReadinessData, ThrowOnError>): RequestResult<GetReadinessResponses, GetReadinessErrors, ThrowOnError> => (options.client ?? client).get<GetReadinessResponses, GetReadinessErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/deploy/readiness',
    ...options
});

/**
 * Publish the last build to the preview again, without building
 *
 * Access: deploy:write.
 */
export const retryDeployment = <ThrowOnError extends boolean = false>(options: Options<RetryDeploymentData, ThrowOnError>): RequestResult<RetryDeploymentResponses, RetryDeploymentErrors, ThrowOnError> => (options.client ?? client).post<RetryDeploymentResponses, RetryDeploymentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/deploy/retry',
    ...options
});

/**
 * List everything managed in the connected account, and the releases
 *
 * The status of each resource was read from the account at most a minute ago. Access: projects:read.
 */
export const listDeployments = <ThrowOnError extends boolean = false>(options: Options<ListDeploymentsData, ThrowOnError>): RequestResult<ListDeploymentsResponses, ListDeploymentsErrors, ThrowOnError> => (options.client ?? client).get<ListDeploymentsResponses, ListDeploymentsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/deployments',
    ...options
});

/**
 * Return the last build with the address of its preview
 *
 * Access: build:write.
 */
export const previewProject = <ThrowOnError extends boolean = false>(options: Options<PreviewProjectData, ThrowOnError>): RequestResult<PreviewProjectResponses, PreviewProjectErrors, ThrowOnError> => (options.client ?? client).post<PreviewProjectResponses, PreviewProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/preview',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the state of the custom domain
 *
 * At most a minute old; `fresh=1` reads it again, at most every 5 seconds, and asks the provider to check the name servers of a domain that waits for them. Access: projects:read.
 */
export const getDomainStatus = <ThrowOnError extends boolean = false>(options: Options<GetDomainStatusData, ThrowOnError>): RequestResult<GetDomainStatusResponses, GetDomainStatusErrors, ThrowOnError> => (options.client ?? client).get<GetDomainStatusResponses, GetDomainStatusErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/domain/status',
    ...options
});

/**
 * Set the host name of the app
 *
 * Its domain must be in the connected cloud account already. Needs the Starter plan or a larger one. A name that another project uses is a conflict. Access: deploy:write.
 */
export const onboardDomain = <ThrowOnError extends boolean = false>(options: Options<OnboardDomainData, ThrowOnError>): RequestResult<OnboardDomainResponses, OnboardDomainErrors, ThrowOnError> => (options.client ?? client).post<OnboardDomainResponses, OnboardDomainErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/domain/onboard',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Route the domain to the live app and order its certificate
 *
 * Shipping does this, too. An existing DNS record of the name is a conflict and is never overwritten. Access: deploy:write.
 */
export const attachDomain = <ThrowOnError extends boolean = false>(options: Options<AttachDomainData, ThrowOnError>): RequestResult<AttachDomainResponses, AttachDomainErrors, ThrowOnError> => (options.client ?? client).post<AttachDomainResponses, AttachDomainErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/domain/attach',
    ...options
});

/**
 * Take the custom domain off the app
 *
 * The app keeps serving at its own address. Without a domain the call changes nothing. Access: deploy:write.
 */
export const removeDomain = <ThrowOnError extends boolean = false>(options: Options<RemoveDomainData, ThrowOnError>): RequestResult<RemoveDomainResponses, RemoveDomainErrors, ThrowOnError> => (options.client ?? client).delete<RemoveDomainResponses, RemoveDomainErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/domain',
    ...options
});

/**
 * Read the state of sending and receiving mail
 *
 * The domains of the account, the one that mail is sent from with its DNS records, and the mailboxes. `routing` is `misconfigured` while mail to a mailbox does not arrive. Access: projects:read.
 */
export const getEmailStatus = <ThrowOnError extends boolean = false>(options: Options<GetEmailStatusData, ThrowOnError>): RequestResult<GetEmailStatusResponses, GetEmailStatusErrors, ThrowOnError> => (options.client ?? client).get<GetEmailStatusResponses, GetEmailStatusErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/email/status',
    ...options
});

/**
 * Choose the domain and address that mail is sent from
 *
 * Sets the domain up for sending and adds the DNS records it lacks; an existing record is never changed. Once they all exist, verify it. Access: deploy:write.
 */
export const onboardEmail = <ThrowOnError extends boolean = false>(options: Options<OnboardEmailData, ThrowOnError>): RequestResult<OnboardEmailResponses, OnboardEmailErrors, ThrowOnError> => (options.client ?? client).post<OnboardEmailResponses, OnboardEmailErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/email/onboard',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check the DNS records and begin to send
 *
 * While records are missing, or the provider has not seen them yet, `verified` is false. Afterwards the app sends from `from`, and mail that waited goes out. Access: deploy:write.
 */
export const verifyEmail = <ThrowOnError extends boolean = false>(options: Options<VerifyEmailData, ThrowOnError>): RequestResult<VerifyEmailResponses, VerifyEmailErrors, ThrowOnError> => (options.client ?? client).post<VerifyEmailResponses, VerifyEmailErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/email/verify',
    ...options
});

/**
 * Replace the addresses whose mail becomes records
 *
 * Mail to an address becomes a record of a collection that `app.json` lists under `mailboxes`. An empty list removes every rule of this project; rules of others and the catch-all rule are never changed. Access: deploy:write.
 */
export const replaceMailboxes = <ThrowOnError extends boolean = false>(options: Options<ReplaceMailboxesData, ThrowOnError>): RequestResult<ReplaceMailboxesResponses, ReplaceMailboxesErrors, ThrowOnError> => (options.client ?? client).put<ReplaceMailboxesResponses, ReplaceMailboxesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/email/mailboxes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the mail that the live app sent or has still to send, newest first
 *
 * Of the last seven days, without texts. Access: projects:read.
 */
export const listAppMails = <ThrowOnError extends boolean = false>(options: Options<ListAppMailsData, ThrowOnError>): RequestResult<ListAppMailsResponses, ListAppMailsErrors, ThrowOnError> => (options.client ?? client).get<ListAppMailsResponses, ListAppMailsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/email/mails',
    ...options
});

/**
 * Check what the stored Stripe keys may do
 *
 * Tries every permission that payments need, without creating anything, and stores the result as `keyCheck` of the capability. The same happens when a key is saved. Access: projects:write.
 */
export const checkPaymentKey = <ThrowOnError extends boolean = false>(options: Options<CheckPaymentKeyData, ThrowOnError>): RequestResult<CheckPaymentKeyResponses, CheckPaymentKeyErrors, ThrowOnError> => (options.client ?? client).post<CheckPaymentKeyResponses, CheckPaymentKeyErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/key/check',
    ...options
});

/**
 * List the products, newest first
 *
 * The products that Stripe sells to people of the live app, with archived ones. Access: projects:read.
 */
export const listPaymentProducts = <ThrowOnError extends boolean = false>(options: Options<ListPaymentProductsData, ThrowOnError>): RequestResult<ListPaymentProductsResponses, ListPaymentProductsErrors, ThrowOnError> => (options.client ?? client).get<ListPaymentProductsResponses, ListPaymentProductsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/products',
    ...options
});

/**
 * Create a product with its price
 *
 * With `interval` it is a subscription. It has the same id in test mode and in live mode, where a key is stored for both, so the preview sells it too. Access: projects:write.
 */
export const createPaymentProduct = <ThrowOnError extends boolean = false>(options: Options<CreatePaymentProductData, ThrowOnError>): RequestResult<CreatePaymentProductResponses, CreatePaymentProductErrors, ThrowOnError> => (options.client ?? client).post<CreatePaymentProductResponses, CreatePaymentProductErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/products',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Sell a product at a new price
 *
 * Creates a new price for the product; the old price is no longer sold. Existing subscribers keep their price. Access: projects:write.
 */
export const setPaymentPrice = <ThrowOnError extends boolean = false>(options: Options<SetPaymentPriceData, ThrowOnError>): RequestResult<SetPaymentPriceResponses, SetPaymentPriceErrors, ThrowOnError> => (options.client ?? client).post<SetPaymentPriceResponses, SetPaymentPriceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/products/{productId}/price',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Stop selling a product
 *
 * Purchases stay valid, and subscriptions keep billing until they are cancelled. Access: projects:write.
 */
export const archivePaymentProduct = <ThrowOnError extends boolean = false>(options: Options<ArchivePaymentProductData, ThrowOnError>): RequestResult<ArchivePaymentProductResponses, ArchivePaymentProductErrors, ThrowOnError> => (options.client ?? client).post<ArchivePaymentProductResponses, ArchivePaymentProductErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/products/{productId}/archive',
    ...options
});

/**
 * List the active discount codes, and how often each was redeemed
 *
 * Access: projects:read.
 */
export const listDiscountCodes = <ThrowOnError extends boolean = false>(options: Options<ListDiscountCodesData, ThrowOnError>): RequestResult<ListDiscountCodesResponses, ListDiscountCodesErrors, ThrowOnError> => (options.client ?? client).get<ListDiscountCodesResponses, ListDiscountCodesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/codes',
    ...options
});

/**
 * Create a discount code
 *
 * The discount is a percentage, or an amount in one currency. Access: projects:write.
 */
export const createDiscountCode = <ThrowOnError extends boolean = false>(options: Options<CreateDiscountCodeData, ThrowOnError>): RequestResult<CreateDiscountCodeResponses, CreateDiscountCodeErrors, ThrowOnError> => (options.client ?? client).post<CreateDiscountCodeResponses, CreateDiscountCodeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/codes',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * End a discount code
 *
 * It can no longer be redeemed; those who redeemed it keep the discount. Access: projects:write.
 */
export const archiveDiscountCode = <ThrowOnError extends boolean = false>(options: Options<ArchiveDiscountCodeData, ThrowOnError>): RequestResult<ArchiveDiscountCodeResponses, ArchiveDiscountCodeErrors, ThrowOnError> => (options.client ?? client).post<ArchiveDiscountCodeResponses, ArchiveDiscountCodeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/pay/codes/{codeId}/archive',
    ...options
});

/**
 * Serve the previous version again
 *
 * Works for the workers of the app and of its preview. Rolling back again goes one more version back. After `unavailable` or a lost connection, the same request returns the result of that rollback. When capabilities were switched since that version, its source is deployed again. Access: deploy:write.
 */
export const rollBackResource = <ThrowOnError extends boolean = false>(options: Options<RollBackResourceData, ThrowOnError>): RequestResult<RollBackResourceResponses, RollBackResourceErrors, ThrowOnError> => (options.client ?? client).post<RollBackResourceResponses, RollBackResourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/resources/{resourceId}/rollback',
    ...options
});

/**
 * Destroy one resource in the connected account, with the data it holds
 *
 * A capability that needs it goes to `error` with `resource_missing` until it is reconciled or switched on again, which creates it again, empty. Without its production worker the project is offline, which sends `project.rolled_back` like a rollback. A bucket is emptied first, as far as one call has time: while `remaining` (files left, counted up to 1,000) is above zero, the bucket still exists and `data` says what is deleted; call again to continue. Access: deploy:write.
 */
export const removeResource = <ThrowOnError extends boolean = false>(options: Options<RemoveResourceData, ThrowOnError>): RequestResult<RemoveResourceResponses, RemoveResourceErrors, ThrowOnError> => (options.client ?? client).delete<RemoveResourceResponses, RemoveResourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/resources/{resourceId}',
    ...options
});

/**
 * Compare the registry with the connected account and repair what differs
 *
 * A missing resource that held data is created again, empty; its `action` and the activity log say so. After a minute the call returns `unavailable` while the work continues; calling again waits for the same work. Access: deploy:write.
 */
export const reconcileProject = <ThrowOnError extends boolean = false>(options: Options<ReconcileProjectData, ThrowOnError>): RequestResult<ReconcileProjectResponses, ReconcileProjectErrors, ThrowOnError> => (options.client ?? client).post<ReconcileProjectResponses, ReconcileProjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/reconcile',
    ...options
});

/**
 * Read the requests and errors of the live app of the last 24 hours
 *
 * Errors are exceptions of the app's code and invocations that a limit ended. At most a minute old. `unavailable` while the project is not live or the account returns no figures. Access: projects:read.
 */
export const getAnalytics = <ThrowOnError extends boolean = false>(options: Options<GetAnalyticsData, ThrowOnError>): RequestResult<GetAnalyticsResponses, GetAnalyticsErrors, ThrowOnError> => (options.client ?? client).get<GetAnalyticsResponses, GetAnalyticsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/analytics',
    ...options
});

/**
 * List the errors of the live app of the last 24 hours, equal ones grouped, the latest first
 *
 * Access: projects:read.
 */
export const listLiveErrors = <ThrowOnError extends boolean = false>(options: Options<ListLiveErrorsData, ThrowOnError>): RequestResult<ListLiveErrorsResponses, ListLiveErrorsErrors, ThrowOnError> => (options.client ?? client).get<ListLiveErrorsResponses, ListLiveErrorsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/errors',
    ...options
});

/**
 * Read the requests and errors of every live project of the last 24 hours
 *
 * Most recently deployed first; projects without traffic are left out. At most a minute old, and at most the 400 projects deployed last. Access: projects:read.
 */
export const getTraffic = <ThrowOnError extends boolean = false>(options?: Options<GetTrafficData, ThrowOnError>): RequestResult<GetTrafficResponses, GetTrafficErrors, ThrowOnError> => (options?.client ?? client).get<GetTrafficResponses, GetTrafficErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/traffic',
    ...options
});

/**
 * List every capability and whether it is on
 *
 * Access: projects:read.
 */
export const listCapabilities = <ThrowOnError extends boolean = false>(options: Options<ListCapabilitiesData, ThrowOnError>): RequestResult<ListCapabilitiesResponses, ListCapabilitiesErrors, ThrowOnError> => (options.client ?? client).get<ListCapabilitiesResponses, ListCapabilitiesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities',
    ...options
});

/**
 * Read one capability with its resource and settings
 *
 * Access: projects:read.
 */
export const getCapability = <ThrowOnError extends boolean = false>(options: Options<GetCapabilityData, ThrowOnError>): RequestResult<GetCapabilityResponses, GetCapabilityErrors, ThrowOnError> => (options.client ?? client).get<GetCapabilityResponses, GetCapabilityErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/{key}',
    ...options
});

/**
 * Switch a capability on or off
 *
 * The change is saved at once. Resources in the connected cloud account are created in the background, so the response usually says `creating`; the capabilities it depends on are switched on with it. Settings are merged into the stored ones field by field; a secret given as null is removed. The key of a model provider and the client secret of a sign-in provider are tried first: a refused one is a 400 that names it. Switching off also switches off the capabilities that need it (`alsoOff`) and deletes nothing; without a connected cloud it is saved, and the app loses the bindings once one is connected. Switching on without a connected cloud, or a capability that this version does not have, is a 409 and saves nothing. Access: projects:write.
 */
export const setCapability = <ThrowOnError extends boolean = false>(options: Options<SetCapabilityData, ThrowOnError>): RequestResult<SetCapabilityResponses, SetCapabilityErrors, ThrowOnError> => (options.client ?? client).put<SetCapabilityResponses, SetCapabilityErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/{key}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the users of the app, newest first
 *
 * Access: projects:read.
 */
export const listAppUsers = <ThrowOnError extends boolean = false>(options: Options<ListAppUsersData, ThrowOnError>): RequestResult<ListAppUsersResponses, ListAppUsersErrors, ThrowOnError> => (options.client ?? client).get<ListAppUsersResponses, ListAppUsersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/users',
    ...options
});

/**
 * List messages to the users of the app that were not sent, newest first
 *
 * Access: projects:write.
 */
export const listAppOutbox = <ThrowOnError extends boolean = false>(options: Options<ListAppOutboxData, ThrowOnError>): RequestResult<ListAppOutboxResponses, ListAppOutboxErrors, ThrowOnError> => (options.client ?? client).get<ListAppOutboxResponses, ListAppOutboxErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/outbox',
    ...options
});

/**
 * List a page of the users of the app, newest first
 *
 * `q` is a part of a name or an address, or a whole user id. Access: projects:read.
 */
export const listAppPeople = <ThrowOnError extends boolean = false>(options: Options<ListAppPeopleData, ThrowOnError>): RequestResult<ListAppPeopleResponses, ListAppPeopleErrors, ThrowOnError> => (options.client ?? client).get<ListAppPeopleResponses, ListAppPeopleErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/people',
    ...options
});

/**
 * Give a user of the app a role, or take it away
 *
 * Access: projects:write.
 */
export const setAppUserRole = <ThrowOnError extends boolean = false>(options: Options<SetAppUserRoleData, ThrowOnError>): RequestResult<SetAppUserRoleResponses, SetAppUserRoleErrors, ThrowOnError> => (options.client ?? client).post<SetAppUserRoleResponses, SetAppUserRoleErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/users/{userId}/role',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Enter the live app as staff
 *
 * Returns an address that is valid once, for a minute. It signs the caller in to the live app as staff, without its access code. The caller appears among the users of the app. The session ends within half a day. Access: session.
 */
export const openAppAsStaff = <ThrowOnError extends boolean = false>(options: Options<OpenAppAsStaffData, ThrowOnError>): RequestResult<OpenAppAsStaffResponses, OpenAppAsStaffErrors, ThrowOnError> => (options.client ?? client).post<OpenAppAsStaffResponses, OpenAppAsStaffErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/handover',
    ...options
});

/**
 * Erase a user of the app for good
 *
 * Once begun, the service continues the erasure until it is complete; repeating the call continues it at once. The report lists everything that was removed, by whichever call. Access: projects:write.
 */
export const eraseAppUser = <ThrowOnError extends boolean = false>(options: Options<EraseAppUserData, ThrowOnError>): RequestResult<EraseAppUserResponses, EraseAppUserErrors, ThrowOnError> => (options.client ?? client).delete<EraseAppUserResponses, EraseAppUserErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/auth/users/{userId}',
    ...options
});

/**
 * List the teams of the app, newest first
 *
 * Access: projects:read.
 */
export const listTeams = <ThrowOnError extends boolean = false>(options: Options<ListTeamsData, ThrowOnError>): RequestResult<ListTeamsResponses, ListTeamsErrors, ThrowOnError> => (options.client ?? client).get<ListTeamsResponses, ListTeamsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/team/teams',
    ...options
});

/**
 * List the collections of the live app
 *
 * Access: projects:read.
 */
export const listCollections = <ThrowOnError extends boolean = false>(options: Options<ListCollectionsData, ThrowOnError>): RequestResult<ListCollectionsResponses, ListCollectionsErrors, ThrowOnError> => (options.client ?? client).get<ListCollectionsResponses, ListCollectionsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/collections',
    ...options
});

/**
 * List the newest records of a collection, over all partitions
 *
 * Access: projects:read.
 */
export const listRecords = <ThrowOnError extends boolean = false>(options: Options<ListRecordsData, ThrowOnError>): RequestResult<ListRecordsResponses, ListRecordsErrors, ThrowOnError> => (options.client ?? client).get<ListRecordsResponses, ListRecordsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}',
    ...options
});

/**
 * List a page of a collection, in any order that has an index
 *
 * `sort` is an indexed field, `createdAt` or `updatedAt`, with a leading `-` for the largest first. `where` is a JSON object of conditions on such fields, as the app writes them: `{"status":"open","due":{"lt":"2026-12-01"}}`. `partition` limits the page to the records of one person. Access: projects:read.
 */
export const listRecordPages = <ThrowOnError extends boolean = false>(options: Options<ListRecordPagesData, ThrowOnError>): RequestResult<ListRecordPagesResponses, ListRecordPagesErrors, ThrowOnError> => (options.client ?? client).get<ListRecordPagesResponses, ListRecordPagesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/pages/{collection}',
    ...options
});

/**
 * Create a record
 *
 * Validated like a write of the app. `:partition` is `app`, or the id of the person whose record it will be. Access: projects:write.
 */
export const createRecord = <ThrowOnError extends boolean = false>(options: Options<CreateRecordData, ThrowOnError>): RequestResult<CreateRecordResponses, CreateRecordErrors, ThrowOnError> => (options.client ?? client).post<CreateRecordResponses, CreateRecordErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Create up to 100 records, each on its own
 *
 * A refused record does not stop the others. `trial: true` stores nothing and says which would be refused. A record whose id an earlier call created is not created again. Access: projects:write.
 */
export const importRecords = <ThrowOnError extends boolean = false>(options: Options<ImportRecordsData, ThrowOnError>): RequestResult<ImportRecordsResponses, ImportRecordsErrors, ThrowOnError> => (options.client ?? client).post<ImportRecordsResponses, ImportRecordsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/import/{collection}/{partition}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a record with its search entry
 *
 * It disappears from open pages of the app at once. Access: projects:write.
 */
export const deleteRecord = <ThrowOnError extends boolean = false>(options: Options<DeleteRecordData, ThrowOnError>): RequestResult<DeleteRecordResponses, DeleteRecordErrors, ThrowOnError> => (options.client ?? client).delete<DeleteRecordResponses, DeleteRecordErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}/{id}',
    ...options
});

/**
 * Replace a record
 *
 * Takes the whole record, validated like a write of the app. System fields are ignored; a `rev` other than the stored one is a 409. Access: projects:write.
 */
export const replaceRecord = <ThrowOnError extends boolean = false>(options: Options<ReplaceRecordData, ThrowOnError>): RequestResult<ReplaceRecordResponses, ReplaceRecordErrors, ThrowOnError> => (options.client ?? client).put<ReplaceRecordResponses, ReplaceRecordErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/records/{collection}/{partition}/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Search the records of a collection, over all partitions, the best matches first
 *
 * Access: projects:read.
 */
export const queryRecords = <ThrowOnError extends boolean = false>(options: Options<QueryRecordsData, ThrowOnError>): RequestResult<QueryRecordsResponses, QueryRecordsErrors, ThrowOnError> => (options.client ?? client).get<QueryRecordsResponses, QueryRecordsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/data/query',
    ...options
});

/**
 * List the files that people and code of the live app stored, by key
 *
 * Access: projects:read.
 */
export const listFileObjects = <ThrowOnError extends boolean = false>(options: Options<ListFileObjectsData, ThrowOnError>): RequestResult<ListFileObjectsResponses, ListFileObjectsErrors, ThrowOnError> => (options.client ?? client).get<ListFileObjectsResponses, ListFileObjectsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/files/objects',
    ...options
});

/**
 * Read the bytes of one stored file, sandboxed; `Range` is supported
 *
 * Access: projects:read.
 */
export const getFileObject = <ThrowOnError extends boolean = false>(options: Options<GetFileObjectData, ThrowOnError>): RequestResult<GetFileObjectResponses, GetFileObjectErrors, ThrowOnError> => (options.client ?? client).get<GetFileObjectResponses, GetFileObjectErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/files/object',
    ...options
});

/**
 * List the project's assets, newest first
 *
 * Access: projects:read.
 */
export const listAssets = <ThrowOnError extends boolean = false>(options: Options<ListAssetsData, ThrowOnError>): RequestResult<ListAssetsResponses, ListAssetsErrors, ThrowOnError> => (options.client ?? client).get<ListAssetsResponses, ListAssetsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets',
    ...options
});

/**
 * Begin to upload an asset: returns where to send its bytes, with a token
 *
 * The bytes go straight to the project's upload worker in the connected cloud account: `PUT <uploadUrl>` with `Authorization: Bearer <token>` and the `Content-Type` given here. They are served once `finalize` was called with the `key`. Access: projects:write.
 */
export const initAssetUpload = <ThrowOnError extends boolean = false>(options: Options<InitAssetUploadData, ThrowOnError>): RequestResult<InitAssetUploadResponses, InitAssetUploadErrors, ThrowOnError> => (options.client ?? client).post<InitAssetUploadResponses, InitAssetUploadErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets/upload-init',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Make an uploaded file an asset
 *
 * Size and type are recorded as the bucket has them. An existing path gets the new content and keeps its access. Access: projects:write.
 */
export const finalizeAsset = <ThrowOnError extends boolean = false>(options: Options<FinalizeAssetData, ThrowOnError>): RequestResult<FinalizeAssetResponses, FinalizeAssetErrors, ThrowOnError> => (options.client ?? client).post<FinalizeAssetResponses, FinalizeAssetErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets/finalize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove an asset
 *
 * Access: projects:write.
 */
export const deleteAsset = <ThrowOnError extends boolean = false>(options: Options<DeleteAssetData, ThrowOnError>): RequestResult<DeleteAssetResponses, DeleteAssetErrors, ThrowOnError> => (options.client ?? client).delete<DeleteAssetResponses, DeleteAssetErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets/{path}',
    ...options
});

/**
 * Read the bytes of an asset, sandboxed; `path` may contain slashes, `Range` is supported
 *
 * Access: projects:read.
 */
export const getAsset = <ThrowOnError extends boolean = false>(options: Options<GetAssetData, ThrowOnError>): RequestResult<GetAssetResponses, GetAssetErrors, ThrowOnError> => (options.client ?? client).get<GetAssetResponses, GetAssetErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets/{path}',
    ...options
});

/**
 * Change who may see an asset
 *
 * The metadata of the object in the account is changed in place. `members` needs the capability `auth`, `product` needs `pay`. Access: projects:write.
 */
export const setAssetAccess = <ThrowOnError extends boolean = false>(options: Options<SetAssetAccessData, ThrowOnError>): RequestResult<SetAssetAccessResponses, SetAssetAccessErrors, ThrowOnError> => (options.client ?? client).patch<SetAssetAccessResponses, SetAssetAccessErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/assets/{path}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Run a prompt against the app's budget
 *
 * Access: projects:write.
 */
export const runAi = <ThrowOnError extends boolean = false>(options: Options<RunAiData, ThrowOnError>): RequestResult<RunAiResponses, RunAiErrors, ThrowOnError> => (options.client ?? client).post<RunAiResponses, RunAiErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/ai/run',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the runs of this month
 *
 * Access: projects:read.
 */
export const getAiSpend = <ThrowOnError extends boolean = false>(options: Options<GetAiSpendData, ThrowOnError>): RequestResult<GetAiSpendResponses, GetAiSpendErrors, ThrowOnError> => (options.client ?? client).get<GetAiSpendResponses, GetAiSpendErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/ai/spend',
    ...options
});

/**
 * List the orders of the app, newest first, with their sums
 *
 * The sums count all orders, also those beyond `limit`; `revenue` is the amount paid less refunds, by currency, in its smallest unit. Orders of test mode are left out once a live key is stored. Access: projects:read.
 */
export const listOrders = <ThrowOnError extends boolean = false>(options: Options<ListOrdersData, ThrowOnError>): RequestResult<ListOrdersResponses, ListOrdersErrors, ThrowOnError> => (options.client ?? client).get<ListOrdersResponses, ListOrdersErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/pay/orders',
    ...options
});

/**
 * List who has bought what: one row per user and active product
 *
 * Access: projects:read.
 */
export const listEntitlements = <ThrowOnError extends boolean = false>(options: Options<ListEntitlementsData, ThrowOnError>): RequestResult<ListEntitlementsResponses, ListEntitlementsErrors, ThrowOnError> => (options.client ?? client).get<ListEntitlementsResponses, ListEntitlementsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/pay/entitlements',
    ...options
});

/**
 * List the calls that are in progress in the live app, newest first
 *
 * At most 40. `mode` is `mesh` between the browsers and `sfu` through the account. A visitor has neither `userId` nor `name`. Access: projects:read.
 */
export const listCalls = <ThrowOnError extends boolean = false>(options: Options<ListCallsData, ThrowOnError>): RequestResult<ListCallsResponses, ListCallsErrors, ThrowOnError> => (options.client ?? client).get<ListCallsResponses, ListCallsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/call/calls',
    ...options
});

/**
 * List the schedules of the app, soonest first
 *
 * Access: projects:read.
 */
export const listScheduledJobs = <ThrowOnError extends boolean = false>(options: Options<ListScheduledJobsData, ThrowOnError>): RequestResult<ListScheduledJobsResponses, ListScheduledJobsErrors, ThrowOnError> => (options.client ?? client).get<ListScheduledJobsResponses, ListScheduledJobsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/schedule/jobs',
    ...options
});

/**
 * List the runs of the app's flows, newest first
 *
 * Access: projects:read.
 */
export const listFlowRuns = <ThrowOnError extends boolean = false>(options: Options<ListFlowRunsData, ThrowOnError>): RequestResult<ListFlowRunsResponses, ListFlowRunsErrors, ThrowOnError> => (options.client ?? client).get<ListFlowRunsResponses, ListFlowRunsErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs',
    ...options
});

/**
 * Read one run of a flow with its steps
 *
 * Inputs and results of a run are data of the app and are not returned. Access: projects:read.
 */
export const getFlowRun = <ThrowOnError extends boolean = false>(options: Options<GetFlowRunData, ThrowOnError>): RequestResult<GetFlowRunResponses, GetFlowRunErrors, ThrowOnError> => (options.client ?? client).get<GetFlowRunResponses, GetFlowRunErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs/{flowRunId}',
    ...options
});

/**
 * Cancel a run of a flow
 *
 * Access: projects:write.
 */
export const cancelFlowRun = <ThrowOnError extends boolean = false>(options: Options<CancelFlowRunData, ThrowOnError>): RequestResult<CancelFlowRunResponses, CancelFlowRunErrors, ThrowOnError> => (options.client ?? client).post<CancelFlowRunResponses, CancelFlowRunErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/flow/runs/{flowRunId}/cancel',
    ...options
});

/**
 * Render a page on the app's budget
 *
 * Renders a path of the live app, or an address of it or of a host in the settings, as the app would: to a PDF file, a picture (PNG) or Markdown. Access: projects:write.
 */
export const runRender = <ThrowOnError extends boolean = false>(options: Options<RunRenderData, ThrowOnError>): RequestResult<RunRenderResponses, RunRenderErrors, ThrowOnError> => (options.client ?? client).post<RunRenderResponses, RunRenderErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/render/run',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the number of rendered pages of this month
 *
 * Access: projects:read.
 */
export const getRenderSpend = <ThrowOnError extends boolean = false>(options: Options<GetRenderSpendData, ThrowOnError>): RequestResult<GetRenderSpendResponses, GetRenderSpendErrors, ThrowOnError> => (options.client ?? client).get<GetRenderSpendResponses, GetRenderSpendErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/render/spend',
    ...options
});

/**
 * Read the minutes of video of this month
 *
 * Access: projects:read.
 */
export const getVideoSpend = <ThrowOnError extends boolean = false>(options: Options<GetVideoSpendData, ThrowOnError>): RequestResult<GetVideoSpendResponses, GetVideoSpendErrors, ThrowOnError> => (options.client ?? client).get<GetVideoSpendResponses, GetVideoSpendErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/video/spend',
    ...options
});

/**
 * List the videos of the live app, newest first
 *
 * Access: projects:read.
 */
export const listVideos = <ThrowOnError extends boolean = false>(options: Options<ListVideosData, ThrowOnError>): RequestResult<ListVideosResponses, ListVideosErrors, ThrowOnError> => (options.client ?? client).get<ListVideosResponses, ListVideosErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/video/videos',
    ...options
});

/**
 * Count what people did in the last 30 days, by event and group
 *
 * Access: projects:read.
 */
export const getEventsSummary = <ThrowOnError extends boolean = false>(options: Options<GetEventsSummaryData, ThrowOnError>): RequestResult<GetEventsSummaryResponses, GetEventsSummaryErrors, ThrowOnError> => (options.client ?? client).get<GetEventsSummaryResponses, GetEventsSummaryErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/events/summary',
    ...options
});

/**
 * Read what is used of each allowance in its window
 *
 * Access: projects:read.
 */
export const getMeterUsage = <ThrowOnError extends boolean = false>(options: Options<GetMeterUsageData, ThrowOnError>): RequestResult<GetMeterUsageResponses, GetMeterUsageErrors, ThrowOnError> => (options.client ?? client).get<GetMeterUsageResponses, GetMeterUsageErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/capabilities/meter/usage',
    ...options
});

/**
 * Begin to attach a file: returns where to send its bytes, with a token
 *
 * The bytes go straight to the project's upload worker in the connected cloud account: `PUT <uploadUrl>` with `Authorization: Bearer <token>` and the `Content-Type` given here. The first call of a project creates the worker and its bucket. Access: projects:write.
 */
export const initAttachmentUpload = <ThrowOnError extends boolean = false>(options: Options<InitAttachmentUploadData, ThrowOnError>): RequestResult<InitAttachmentUploadResponses, InitAttachmentUploadErrors, ThrowOnError> => (options.client ?? client).post<InitAttachmentUploadResponses, InitAttachmentUploadErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/attachments/upload-init',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Make an uploaded file an attachment
 *
 * Hash, size (at most 8 MiB) and type are checked against the bytes; a file that does not match them is deleted. Pass the key in `attachments` of capture, a ticket, build, steer or a plan message. Access: projects:write.
 */
export const finalizeAttachment = <ThrowOnError extends boolean = false>(options: Options<FinalizeAttachmentData, ThrowOnError>): RequestResult<FinalizeAttachmentResponses, FinalizeAttachmentErrors, ThrowOnError> => (options.client ?? client).post<FinalizeAttachmentResponses, FinalizeAttachmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/attachments/finalize',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the bytes of an attachment; `file` is its key without `_prompt/`
 *
 * Access: projects:read.
 */
export const getAttachment = <ThrowOnError extends boolean = false>(options: Options<GetAttachmentData, ThrowOnError>): RequestResult<GetAttachmentResponses, GetAttachmentErrors, ThrowOnError> => (options.client ?? client).get<GetAttachmentResponses, GetAttachmentErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/projects/{projectId}/attachments/{file}',
    ...options
});

/**
 * Read which cloud and code-hosting accounts are connected
 *
 * Access: session.
 */
export const getConnections = <ThrowOnError extends boolean = false>(options?: Options<GetConnectionsData, ThrowOnError>): RequestResult<GetConnectionsResponses, GetConnectionsErrors, ThrowOnError> => (options?.client ?? client).get<GetConnectionsResponses, GetConnectionsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections',
    ...options
});

/**
 * Begin signing in to cloudflare or github
 *
 * Send the browser to `url`. It comes back through the callback to `next` within ten minutes, with `connected=<provider>` (and `choose=account` when one of several accounts has to be chosen), or with `provider` and `error`: state, expired, denied, code, unreachable, no_account, account_locked, signed_out, not_allowed or failed. Access: session, owners and admins.
 */
export const startConnection = <ThrowOnError extends boolean = false>(options: Options<StartConnectionData, ThrowOnError>): RequestResult<StartConnectionResponses, StartConnectionErrors, ThrowOnError> => (options.client ?? client).get<StartConnectionResponses, StartConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/{provider}/start',
    ...options
});

/**
 * Where a provider sends the browser back to
 *
 * Takes `code` and `state`, and redirects to the console in every case; see the start of a sign-in for what it says there. Access: session, owners and admins.
 */
export const finishConnection = <ThrowOnError extends boolean = false>(options: Options<FinishConnectionData, ThrowOnError>): RequestResult<unknown, FinishConnectionErrors, ThrowOnError> => (options.client ?? client).get<unknown, FinishConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/{provider}/callback',
    ...options
});

/**
 * Disconnect an account
 *
 * Deployed apps keep running, and the same account can be connected again. The response lists what does not work until then. Access: session, owners and admins.
 */
export const deleteConnection = <ThrowOnError extends boolean = false>(options: Options<DeleteConnectionData, ThrowOnError>): RequestResult<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError> => (options.client ?? client).delete<DeleteConnectionResponses, DeleteConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/{provider}',
    ...options
});

/**
 * Connect a Cloudflare account with an API token
 *
 * The token is verified and stored encrypted. Its permissions cannot be listed, so the service tries to read something of each product; `missingScopes` lists what was refused. Projects in the local cloud stay there until their next ship moves them. Access: session, owners and admins.
 */
export const connectCloudflareToken = <ThrowOnError extends boolean = false>(options: Options<ConnectCloudflareTokenData, ThrowOnError>): RequestResult<ConnectCloudflareTokenResponses, ConnectCloudflareTokenErrors, ThrowOnError> => (options.client ?? client).post<ConnectCloudflareTokenResponses, ConnectCloudflareTokenErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/token',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the Cloudflare accounts that the connection can use
 *
 * Access: session.
 */
export const listCloudflareAccounts = <ThrowOnError extends boolean = false>(options?: Options<ListCloudflareAccountsData, ThrowOnError>): RequestResult<ListCloudflareAccountsResponses, ListCloudflareAccountsErrors, ThrowOnError> => (options?.client ?? client).get<ListCloudflareAccountsResponses, ListCloudflareAccountsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/accounts',
    ...options
});

/**
 * Choose the Cloudflare account to use
 *
 * Refused while projects are deployed in another one. Access: session.
 */
export const chooseCloudflareAccount = <ThrowOnError extends boolean = false>(options: Options<ChooseCloudflareAccountData, ThrowOnError>): RequestResult<ChooseCloudflareAccountResponses, ChooseCloudflareAccountErrors, ThrowOnError> => (options.client ?? client).put<ChooseCloudflareAccountResponses, ChooseCloudflareAccountErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/account',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the projects that are still in the local cloud, or have left something there
 *
 * A project that is `waiting` moves to the connected account with its next ship; one that is `removing` already serves from there. Access: session.
 */
export const listMoves = <ThrowOnError extends boolean = false>(options?: Options<ListMovesData, ThrowOnError>): RequestResult<ListMovesResponses, ListMovesErrors, ThrowOnError> => (options?.client ?? client).get<ListMovesResponses, ListMovesErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/moves',
    ...options
});

/**
 * Read whether object storage can be used in the connected account
 *
 * Access: session.
 */
export const getObjectStorageStatus = <ThrowOnError extends boolean = false>(options?: Options<GetObjectStorageStatusData, ThrowOnError>): RequestResult<GetObjectStorageStatusResponses, GetObjectStorageStatusErrors, ThrowOnError> => (options?.client ?? client).get<GetObjectStorageStatusResponses, GetObjectStorageStatusErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/r2',
    ...options
});

/**
 * Read whether video can be used in the connected account
 *
 * Access: session.
 */
export const getVideoStatus = <ThrowOnError extends boolean = false>(options?: Options<GetVideoStatusData, ThrowOnError>): RequestResult<GetVideoStatusResponses, GetVideoStatusErrors, ThrowOnError> => (options?.client ?? client).get<GetVideoStatusResponses, GetVideoStatusErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/stream',
    ...options
});

/**
 * List the connected models
 *
 * Access: session.
 */
export const listModelConnections = <ThrowOnError extends boolean = false>(options?: Options<ListModelConnectionsData, ThrowOnError>): RequestResult<ListModelConnectionsResponses, ListModelConnectionsErrors, ThrowOnError> => (options?.client ?? client).get<ListModelConnectionsResponses, ListModelConnectionsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models',
    ...options
});

/**
 * Connect a model
 *
 * The key is stored encrypted and never shown again. The first connection becomes the default. Access: session, owners and admins.
 */
export const createModelConnection = <ThrowOnError extends boolean = false>(options: Options<CreateModelConnectionData, ThrowOnError>): RequestResult<CreateModelConnectionResponses, CreateModelConnectionErrors, ThrowOnError> => (options.client ?? client).post<CreateModelConnectionResponses, CreateModelConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Find the models behind a key or an address
 *
 * Returns the provider, its models with a recommended one, and the result of one small call to that model. Nothing is stored. Access: session, owners and admins.
 */
export const lookForModels = <ThrowOnError extends boolean = false>(options?: Options<LookForModelsData, ThrowOnError>): RequestResult<LookForModelsResponses, LookForModelsErrors, ThrowOnError> => (options?.client ?? client).post<LookForModelsResponses, LookForModelsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/look',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options?.headers
    }
});

/**
 * List the model servers on the machine of the service
 *
 * Tries only addresses that the operator has allowed, and names the setting for the others. Access: session, owners and admins.
 */
export const listLocalModels = <ThrowOnError extends boolean = false>(options?: Options<ListLocalModelsData, ThrowOnError>): RequestResult<ListLocalModelsResponses, ListLocalModelsErrors, ThrowOnError> => (options?.client ?? client).get<ListLocalModelsResponses, ListLocalModelsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/local',
    ...options
});

/**
 * Disconnect a model
 *
 * Access: session, owners and admins.
 */
export const deleteModelConnection = <ThrowOnError extends boolean = false>(options: Options<DeleteModelConnectionData, ThrowOnError>): RequestResult<DeleteModelConnectionResponses, DeleteModelConnectionErrors, ThrowOnError> => (options.client ?? client).delete<DeleteModelConnectionResponses, DeleteModelConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/{id}',
    ...options
});

/**
 * Change a model connection
 *
 * Access: session, owners and admins.
 */
export const updateModelConnection = <ThrowOnError extends boolean = false>(options: Options<UpdateModelConnectionData, ThrowOnError>): RequestResult<UpdateModelConnectionResponses, UpdateModelConnectionErrors, ThrowOnError> => (options.client ?? client).patch<UpdateModelConnectionResponses, UpdateModelConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Make one small call to a connected model
 *
 * Access: session, owners and admins.
 */
export const testModelConnection = <ThrowOnError extends boolean = false>(options: Options<TestModelConnectionData, ThrowOnError>): RequestResult<TestModelConnectionResponses, TestModelConnectionErrors, ThrowOnError> => (options.client ?? client).post<TestModelConnectionResponses, TestModelConnectionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/{id}/test',
    ...options
});

/**
 * Read the tokens of this month, and their limits
 *
 * Access: session.
 */
export const getTokenUse = <ThrowOnError extends boolean = false>(options?: Options<GetTokenUseData, ThrowOnError>): RequestResult<GetTokenUseResponses, GetTokenUseErrors, ThrowOnError> => (options?.client ?? client).get<GetTokenUseResponses, GetTokenUseErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/limits',
    ...options
});

/**
 * Limit the tokens of a month and of a ticket
 *
 * A build that reaches a limit stops before its next model call and keeps its files as a draft; a new one is refused with 403. Queued builds wait for the next month. Deleting projects gives no tokens back. Access: session, owners and admins.
 */
export const setTokenLimits = <ThrowOnError extends boolean = false>(options: Options<SetTokenLimitsData, ThrowOnError>): RequestResult<SetTokenLimitsResponses, SetTokenLimitsErrors, ThrowOnError> => (options.client ?? client).put<SetTokenLimitsResponses, SetTokenLimitsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/models/limits',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read how much of the connected account's limits is used
 *
 * Access: session.
 */
export const listCeilings = <ThrowOnError extends boolean = false>(options?: Options<ListCeilingsData, ThrowOnError>): RequestResult<ListCeilingsResponses, ListCeilingsErrors, ThrowOnError> => (options?.client ?? client).get<ListCeilingsResponses, ListCeilingsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/connections/cloudflare/ceilings',
    ...options
});

/**
 * List API keys, newest first
 *
 * Expired keys stay listed, and count towards the limit of keys, until they are revoked or 30 days have passed. Access: session.
 */
export const listKeys = <ThrowOnError extends boolean = false>(options?: Options<ListKeysData, ThrowOnError>): RequestResult<ListKeysResponses, ListKeysErrors, ThrowOnError> => (options?.client ?? client).get<ListKeysResponses, ListKeysErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/keys',
    ...options
});

/**
 * Create an API key
 *
 * Only this response contains the key itself. Access: session.
 */
export const createKey = <ThrowOnError extends boolean = false>(options: Options<CreateKeyData, ThrowOnError>): RequestResult<CreateKeyResponses, CreateKeyErrors, ThrowOnError> => (options.client ?? client).post<CreateKeyResponses, CreateKeyErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/keys',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Revoke an API key
 *
 * Access: session.
 */
export const revokeKey = <ThrowOnError extends boolean = false>(options: Options<RevokeKeyData, ThrowOnError>): RequestResult<RevokeKeyResponses, RevokeKeyErrors, ThrowOnError> => (options.client ?? client).delete<RevokeKeyResponses, RevokeKeyErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/keys/{id}',
    ...options
});

/**
 * List webhook endpoints, newest first
 *
 * Access: projects:read.
 */
export const listWebhooks = <ThrowOnError extends boolean = false>(options?: Options<ListWebhooksData, ThrowOnError>): RequestResult<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError> => (options?.client ?? client).get<ListWebhooksResponses, ListWebhooksErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/webhooks',
    ...options
});

/**
 * Subscribe an address to events
 *
 * Only this response contains the signing secret. An organization has at most 100 endpoints. Access: session.
 */
export const createWebhook = <ThrowOnError extends boolean = false>(options: Options<CreateWebhookData, ThrowOnError>): RequestResult<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError> => (options.client ?? client).post<CreateWebhookResponses, CreateWebhookErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/webhooks',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Delete a webhook endpoint
 *
 * Deliveries that still wait for it are dropped. Access: projects:write.
 */
export const deleteWebhook = <ThrowOnError extends boolean = false>(options: Options<DeleteWebhookData, ThrowOnError>): RequestResult<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError> => (options.client ?? client).delete<DeleteWebhookResponses, DeleteWebhookErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/webhooks/{id}',
    ...options
});

/**
 * Begin signing in a device
 *
 * Show `userCode` and `verificationUrl` to the person, then poll `POST /device/token` every `interval` seconds. Needs no credentials.
 */
export const requestDeviceCode = <ThrowOnError extends boolean = false>(options: Options<RequestDeviceCodeData, ThrowOnError>): RequestResult<RequestDeviceCodeResponses, RequestDeviceCodeErrors, ThrowOnError> => (options.client ?? client).post<RequestDeviceCodeResponses, RequestDeviceCodeErrors, ThrowOnError>({
    url: '/api/v1/device/code',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Poll the state of a device sign-in
 *
 * The `approved` response contains the key and is returned once. Polling faster than `interval` is a 429 and makes the interval 5 seconds longer. Needs no credentials.
 */
export const pollDeviceToken = <ThrowOnError extends boolean = false>(options: Options<PollDeviceTokenData, ThrowOnError>): RequestResult<PollDeviceTokenResponses, PollDeviceTokenErrors, ThrowOnError> => (options.client ?? client).post<PollDeviceTokenResponses, PollDeviceTokenErrors, ThrowOnError>({
    url: '/api/v1/device/token',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read what a device asks for
 *
 * Access: session.
 */
export const getDeviceGrant = <ThrowOnError extends boolean = false>(options: Options<GetDeviceGrantData, ThrowOnError>): RequestResult<GetDeviceGrantResponses, GetDeviceGrantErrors, ThrowOnError> => (options.client ?? client).get<GetDeviceGrantResponses, GetDeviceGrantErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/device/grant',
    ...options
});

/**
 * Approve a device, which creates its API key
 *
 * The key is named after the device, has the scopes shown and expires after 90 days. Access: session.
 */
export const approveDevice = <ThrowOnError extends boolean = false>(options: Options<ApproveDeviceData, ThrowOnError>): RequestResult<ApproveDeviceResponses, ApproveDeviceErrors, ThrowOnError> => (options.client ?? client).post<ApproveDeviceResponses, ApproveDeviceErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/device/approve',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Refuse a device
 *
 * Access: session.
 */
export const denyDevice = <ThrowOnError extends boolean = false>(options: Options<DenyDeviceData, ThrowOnError>): RequestResult<DenyDeviceResponses, DenyDeviceErrors, ThrowOnError> => (options.client ?? client).post<DenyDeviceResponses, DenyDeviceErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/device/deny',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List ingest sources, newest first
 *
 * Access: projects:read.
 */
export const listIngestSources = <ThrowOnError extends boolean = false>(options?: Options<ListIngestSourcesData, ThrowOnError>): RequestResult<ListIngestSourcesResponses, ListIngestSourcesErrors, ThrowOnError> => (options?.client ?? client).get<ListIngestSourcesResponses, ListIngestSourcesErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/ingest',
    ...options
});

/**
 * Create an address that turns signed posts into tickets of a project
 *
 * Only this response contains the secret. Access: session.
 */
export const createIngestSource = <ThrowOnError extends boolean = false>(options: Options<CreateIngestSourceData, ThrowOnError>): RequestResult<CreateIngestSourceResponses, CreateIngestSourceErrors, ThrowOnError> => (options.client ?? client).post<CreateIngestSourceResponses, CreateIngestSourceErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/ingest',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove an ingest source
 *
 * Its address returns 404 from then on. Ideas that it has accepted still become tickets. Access: projects:write.
 */
export const deleteIngestSource = <ThrowOnError extends boolean = false>(options: Options<DeleteIngestSourceData, ThrowOnError>): RequestResult<DeleteIngestSourceResponses, DeleteIngestSourceErrors, ThrowOnError> => (options.client ?? client).delete<DeleteIngestSourceResponses, DeleteIngestSourceErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/ingest/{id}',
    ...options
});

/**
 * Read an invitation before signing in
 *
 * Needs no credentials.
 */
export const getInvitation = <ThrowOnError extends boolean = false>(options: Options<GetInvitationData, ThrowOnError>): RequestResult<GetInvitationResponses, GetInvitationErrors, ThrowOnError> => (options.client ?? client).get<GetInvitationResponses, GetInvitationErrors, ThrowOnError>({ url: '/api/v1/invitations/{invitationId}', ...options });

/**
 * List what a member has made that stays when the member leaves
 *
 * For owners and admins, and for the member in question. Access: session.
 */
export const readMemberBelongings = <ThrowOnError extends boolean = false>(options: Options<ReadMemberBelongingsData, ThrowOnError>): RequestResult<ReadMemberBelongingsResponses, ReadMemberBelongingsErrors, ThrowOnError> => (options.client ?? client).get<ReadMemberBelongingsResponses, ReadMemberBelongingsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/members/{memberId}/belongings',
    ...options
});

/**
 * Remove what a member has made, or hand it over to the caller
 *
 * Call it before the member is removed. Otherwise the end of the membership revokes the person's API keys, and their webhooks and ingest sources stay with the organization. A key that is handed over still works for everyone who has a copy. Returns how many of each were removed or handed over. Access: session, owners and admins.
 */
export const settleMemberBelongings = <ThrowOnError extends boolean = false>(options: Options<SettleMemberBelongingsData, ThrowOnError>): RequestResult<SettleMemberBelongingsResponses, SettleMemberBelongingsErrors, ThrowOnError> => (options.client ?? client).post<SettleMemberBelongingsResponses, SettleMemberBelongingsErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/members/{memberId}/belongings',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Read the security policy
 *
 * Access: session.
 */
export const readSecurityPolicy = <ThrowOnError extends boolean = false>(options?: Options<ReadSecurityPolicyData, ThrowOnError>): RequestResult<ReadSecurityPolicyResponses, ReadSecurityPolicyErrors, ThrowOnError> => (options?.client ?? client).get<ReadSecurityPolicyResponses, ReadSecurityPolicyErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/security',
    ...options
});

/**
 * Set the security policy
 *
 * Requiring single sign-on or two-factor, or shortening the session lifetime, signs every member out. The addresses must include the caller's own; they apply to API keys too. Access: session, owners and admins.
 */
export const updateSecurityPolicy = <ThrowOnError extends boolean = false>(options: Options<UpdateSecurityPolicyData, ThrowOnError>): RequestResult<UpdateSecurityPolicyResponses, UpdateSecurityPolicyErrors, ThrowOnError> => (options.client ?? client).put<UpdateSecurityPolicyResponses, UpdateSecurityPolicyErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/security',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Remove single sign-on
 *
 * Ends the sessions that the provider made, and no longer requires single sign-on. Access: session, owners and admins.
 */
export const removeSsoProvider = <ThrowOnError extends boolean = false>(options?: Options<RemoveSsoProviderData, ThrowOnError>): RequestResult<RemoveSsoProviderResponses, RemoveSsoProviderErrors, ThrowOnError> => (options?.client ?? client).delete<RemoveSsoProviderResponses, RemoveSsoProviderErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/sso',
    ...options
});

/**
 * Read the single sign-on provider
 *
 * Null when there is none. The client secret and the certificates are never returned. Access: session.
 */
export const readSsoProvider = <ThrowOnError extends boolean = false>(options?: Options<ReadSsoProviderData, ThrowOnError>): RequestResult<ReadSsoProviderResponses, ReadSsoProviderErrors, ThrowOnError> => (options?.client ?? client).get<ReadSsoProviderResponses, ReadSsoProviderErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/sso',
    ...options
});

/**
 * Set up single sign-on
 *
 * Replaces an existing provider: its sessions end, and single sign-on is no longer required. Part of the Enterprise plan. Access: session, owners and admins.
 */
export const saveSsoProvider = <ThrowOnError extends boolean = false>(options: Options<SaveSsoProviderData, ThrowOnError>): RequestResult<SaveSsoProviderResponses, SaveSsoProviderErrors, ThrowOnError> => (options.client ?? client).post<SaveSsoProviderResponses, SaveSsoProviderErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/sso',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Verify the domains of the provider
 *
 * Reads the TXT records; may be called again until they are found. Access: session, owners and admins.
 */
export const verifySsoDomain = <ThrowOnError extends boolean = false>(options?: Options<VerifySsoDomainData, ThrowOnError>): RequestResult<VerifySsoDomainResponses, VerifySsoDomainErrors, ThrowOnError> => (options?.client ?? client).post<VerifySsoDomainResponses, VerifySsoDomainErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/sso/verify-domain',
    ...options
});

/**
 * List the changes in connected accounts, newest first
 *
 * Each bound applies by itself, so a `from` after `to` returns nothing. Access: projects:read.
 */
export const listActivity = <ThrowOnError extends boolean = false>(options?: Options<ListActivityData, ThrowOnError>): RequestResult<ListActivityResponses, ListActivityErrors, ThrowOnError> => (options?.client ?? client).get<ListActivityResponses, ListActivityErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/activity',
    ...options
});

/**
 * Export the log as CSV: every matching record, newest first
 *
 * Columns: when, provider, actor, action, target, status, project, detail. A field that a spreadsheet would take for a formula begins with an apostrophe. Counts with the account export toward 3 exports a minute. Access: projects:read.
 */
export const exportActivity = <ThrowOnError extends boolean = false>(options?: Options<ExportActivityData, ThrowOnError>): RequestResult<ExportActivityResponses, ExportActivityErrors, ThrowOnError> => (options?.client ?? client).get<ExportActivityResponses, ExportActivityErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/activity/export',
    ...options
});

/**
 * Read the plan, and what is used of it
 *
 * Access: session.
 */
export const getBilling = <ThrowOnError extends boolean = false>(options?: Options<GetBillingData, ThrowOnError>): RequestResult<GetBillingResponses, GetBillingErrors, ThrowOnError> => (options?.client ?? client).get<GetBillingResponses, GetBillingErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/billing',
    ...options
});

/**
 * Open the page where a plan is paid for
 *
 * The plan changes once the payment provider confirms the payment, so returning from the page alone changes nothing. With a subscription the page confirms its change instead. Access: session, owners and admins.
 */
export const startCheckout = <ThrowOnError extends boolean = false>(options: Options<StartCheckoutData, ThrowOnError>): RequestResult<StartCheckoutResponses, StartCheckoutErrors, ThrowOnError> => (options.client ?? client).post<StartCheckoutResponses, StartCheckoutErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/billing/checkout',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Open the billing portal: invoices, card, cancellation
 *
 * Access: session, owners and admins.
 */
export const openPortal = <ThrowOnError extends boolean = false>(options?: Options<OpenPortalData, ThrowOnError>): RequestResult<OpenPortalResponses, OpenPortalErrors, ThrowOnError> => (options?.client ?? client).post<OpenPortalResponses, OpenPortalErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/billing/portal',
    ...options
});

/**
 * Where the payment provider sends its events to
 *
 * An event makes the service read the subscription from the provider, so repeated events and their order do not matter. Needs no credentials but the signature in Stripe-Signature.
 */
export const receiveBillingEvent = <ThrowOnError extends boolean = false>(options: Options<ReceiveBillingEventData, ThrowOnError>): RequestResult<ReceiveBillingEventResponses, ReceiveBillingEventErrors, ThrowOnError> => (options.client ?? client).post<ReceiveBillingEventResponses, ReceiveBillingEventErrors, ThrowOnError>({ url: '/api/v1/billing/webhook', ...options });

/**
 * Export everything the organization has here, as newline-delimited JSON
 *
 * One object a line with its `kind`: export (format and requester), organization, member, invitation, connection, api_key, webhook, ingest_source, project, ticket, help_thread, help_message, activity, and last end (count per kind). No key hash, signing secret, connection token or generated code. An export that fails midway has no `end` line. Recorded as `account.exported`; counts with the activity export toward 3 exports a minute. Access: session, owners and admins.
 */
export const exportAccount = <ThrowOnError extends boolean = false>(options?: Options<ExportAccountData, ThrowOnError>): RequestResult<ExportAccountResponses, ExportAccountErrors, ThrowOnError> => (options?.client ?? client).get<ExportAccountResponses, ExportAccountErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/account/export',
    ...options
});

/**
 * Read what deleting your account deletes, and what stays
 *
 * Changes nothing. `projects` lists the next projects only. Also for a person who is in no organization. Access: session.
 */
export const readAccountDeletion = <ThrowOnError extends boolean = false>(options?: Options<ReadAccountDeletionData, ThrowOnError>): RequestResult<ReadAccountDeletionResponses, ReadAccountDeletionErrors, ThrowOnError> => (options?.client ?? client).get<ReadAccountDeletionResponses, ReadAccountDeletionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/account/deletion',
    ...options
});

/**
 * Delete your account, one step at a time
 *
 * A step takes at most 20 seconds; repeat it until `deletion` is set. First every project of the organizations in question is deleted, with its resources; a resource that the provider refuses to remove halts the run and is listed in `failed`. Records are erased only once every project is deleted. The last step ends the session. Refused while you own an organization that has other members. Access: session.
 */
export const stepAccountDeletion = <ThrowOnError extends boolean = false>(options: Options<StepAccountDeletionData, ThrowOnError>): RequestResult<StepAccountDeletionResponses, StepAccountDeletionErrors, ThrowOnError> => (options.client ?? client).post<StepAccountDeletionResponses, StepAccountDeletionErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/account/deletion/step',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the conversations with the operator, most recently active first
 *
 * Access: session.
 */
export const listHelp = <ThrowOnError extends boolean = false>(options?: Options<ListHelpData, ThrowOnError>): RequestResult<ListHelpResponses, ListHelpErrors, ThrowOnError> => (options?.client ?? client).get<ListHelpResponses, ListHelpErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help',
    ...options
});

/**
 * Ask the operator of this service
 *
 * The plan, and the project when one is named, are attached by the service. Access: session.
 */
export const openHelp = <ThrowOnError extends boolean = false>(options: Options<OpenHelpData, ThrowOnError>): RequestResult<OpenHelpResponses, OpenHelpErrors, ThrowOnError> => (options.client ?? client).post<OpenHelpResponses, OpenHelpErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Upload a picture for a message that follows
 *
 * The body is the bytes, at most 5 MiB, and their first bytes must be of the type in `Content-Type`. Pass the id in `attachments` of a message within a day; without one the picture is never shown. Access: session.
 */
export const uploadHelpAttachment = <ThrowOnError extends boolean = false>(options: Options<UploadHelpAttachmentData, ThrowOnError>): RequestResult<UploadHelpAttachmentResponses, UploadHelpAttachmentErrors, ThrowOnError> => (options.client ?? client).post<UploadHelpAttachmentResponses, UploadHelpAttachmentErrors, ThrowOnError>({
    bodySerializer: null,
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help/attachments',
    ...options,
    headers: {
        'Content-Type': 'image/png',
        ...options.headers
    }
});

/**
 * Read the bytes of a picture in a message
 *
 * Access: session.
 */
export const readHelpAttachment = <ThrowOnError extends boolean = false>(options: Options<ReadHelpAttachmentData, ThrowOnError>): RequestResult<ReadHelpAttachmentResponses, ReadHelpAttachmentErrors, ThrowOnError> => (options.client ?? client).get<ReadHelpAttachmentResponses, ReadHelpAttachmentErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help/attachments/{attachmentId}',
    ...options
});

/**
 * Read a conversation with all its messages, oldest first
 *
 * Access: session.
 */
export const readHelp = <ThrowOnError extends boolean = false>(options: Options<ReadHelpData, ThrowOnError>): RequestResult<ReadHelpResponses, ReadHelpErrors, ThrowOnError> => (options.client ?? client).get<ReadHelpResponses, ReadHelpErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help/{threadId}',
    ...options
});

/**
 * Write another message, which reopens an answered or closed conversation
 *
 * Access: session.
 */
export const replyToHelp = <ThrowOnError extends boolean = false>(options: Options<ReplyToHelpData, ThrowOnError>): RequestResult<ReplyToHelpResponses, ReplyToHelpErrors, ThrowOnError> => (options.client ?? client).post<ReplyToHelpResponses, ReplyToHelpErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/help/{threadId}/messages',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * List the questions of all organizations, most recently active first, at most 200
 *
 * Access: session.
 */
export const listDesk = <ThrowOnError extends boolean = false>(options?: Options<ListDeskData, ThrowOnError>): RequestResult<ListDeskResponses, ListDeskErrors, ThrowOnError> => (options?.client ?? client).get<ListDeskResponses, ListDeskErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/desk',
    ...options
});

/**
 * Read a conversation of any organization
 *
 * Access: session.
 */
export const readDesk = <ThrowOnError extends boolean = false>(options: Options<ReadDeskData, ThrowOnError>): RequestResult<ReadDeskResponses, ReadDeskErrors, ThrowOnError> => (options.client ?? client).get<ReadDeskResponses, ReadDeskErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/desk/{threadId}',
    ...options
});

/**
 * Answer a conversation; the member who wrote last gets a mail
 *
 * Upload pictures first, with POST /help/attachments. Access: session.
 */
export const answerFromDesk = <ThrowOnError extends boolean = false>(options: Options<AnswerFromDeskData, ThrowOnError>): RequestResult<AnswerFromDeskResponses, AnswerFromDeskErrors, ThrowOnError> => (options.client ?? client).post<AnswerFromDeskResponses, AnswerFromDeskErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/desk/{threadId}/messages',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Close a conversation; a further message of a member opens it again
 *
 * Access: session.
 */
export const closeFromDesk = <ThrowOnError extends boolean = false>(options: Options<CloseFromDeskData, ThrowOnError>): RequestResult<CloseFromDeskResponses, CloseFromDeskErrors, ThrowOnError> => (options.client ?? client).post<CloseFromDeskResponses, CloseFromDeskErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/desk/{threadId}/close',
    ...options
});

/**
 * Read the bytes of a picture in a message of any organization
 *
 * Access: session.
 */
export const readDeskAttachment = <ThrowOnError extends boolean = false>(options: Options<ReadDeskAttachmentData, ThrowOnError>): RequestResult<ReadDeskAttachmentResponses, ReadDeskAttachmentErrors, ThrowOnError> => (options.client ?? client).get<ReadDeskAttachmentResponses, ReadDeskAttachmentErrors, ThrowOnError>({
    security: [{
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/desk/attachments/{attachmentId}',
    ...options
});

/**
 * Read who is calling
 *
 * Access: any.
 */
export const getMe = <ThrowOnError extends boolean = false>(options?: Options<GetMeData, ThrowOnError>): RequestResult<GetMeResponses, GetMeErrors, ThrowOnError> => (options?.client ?? client).get<GetMeResponses, GetMeErrors, ThrowOnError>({
    security: [{ scheme: 'bearer', type: 'http' }, {
            in: 'cookie',
            name: 'slipway.session_token',
            type: 'apiKey'
        }],
    url: '/api/v1/me',
    ...options
});

/**
 * Post an idea, signed with the secret of its source
 *
 * Responds with a status and no body. Needs no credentials but the signature in Service-Signature.
 */
export const postIdea = <ThrowOnError extends boolean = false>(options: Options<PostIdeaData, ThrowOnError>): RequestResult<PostIdeaResponses, PostIdeaErrors, ThrowOnError> => (options.client ?? client).post<PostIdeaResponses, PostIdeaErrors, ThrowOnError>({
    url: '/i/{id}',
    ...options,
    headers: {
        'Content-Type': 'application/json',
        ...options.headers
    }
});

/**
 * Check whether the service can do its work
 *
 * Returns 503 `unavailable` while the database cannot be reached. Needs no credentials.
 */
export const getHealth = <ThrowOnError extends boolean = false>(options?: Options<GetHealthData, ThrowOnError>): RequestResult<GetHealthResponses, GetHealthErrors, ThrowOnError> => (options?.client ?? client).get<GetHealthResponses, GetHealthErrors, ThrowOnError>({ url: '/health', ...options });

/**
 * Check whether the process runs
 *
 * Uses neither the database nor another service, so that a process manager does not restart the process when one of them is unavailable. Needs no credentials.
 */
export const getLiveness = <ThrowOnError extends boolean = false>(options?: Options<GetLivenessData, ThrowOnError>): RequestResult<GetLivenessResponses, GetLivenessErrors, ThrowOnError> => (options?.client ?? client).get<GetLivenessResponses, GetLivenessErrors, ThrowOnError>({ url: '/livez', ...options });

/**
 * Check whether all parts of the service are ready for work
 *
 * Returns 503 `unavailable` and names the parts that are not: database, migrations, worker heartbeat, data directory, local world. Needs no credentials.
 */
export const getServiceReadiness = <ThrowOnError extends boolean = false>(options?: Options<GetServiceReadinessData, ThrowOnError>): RequestResult<GetServiceReadinessResponses, GetServiceReadinessErrors, ThrowOnError> => (options?.client ?? client).get<GetServiceReadinessResponses, GetServiceReadinessErrors, ThrowOnError>({ url: '/readyz', ...options });

/**
 * Read the metrics of the service, for Prometheus
 *
 * Needs `Authorization: Bearer <SLIPWAY_METRICS_TOKEN>`, no API key and no session. Returns 404 while that setting is empty. Needs no credentials.
 */
export const getServiceMetrics = <ThrowOnError extends boolean = false>(options?: Options<GetServiceMetricsData, ThrowOnError>): RequestResult<GetServiceMetricsResponses, GetServiceMetricsErrors, ThrowOnError> => (options?.client ?? client).get<GetServiceMetricsResponses, GetServiceMetricsErrors, ThrowOnError>({ url: '/metrics', ...options });

/**
 * This contract as OpenAPI 3.1
 *
 * Needs no credentials.
 */
export const getOpenApi = <ThrowOnError extends boolean = false>(options?: Options<GetOpenApiData, ThrowOnError>): RequestResult<GetOpenApiResponses, GetOpenApiErrors, ThrowOnError> => (options?.client ?? client).get<GetOpenApiResponses, GetOpenApiErrors, ThrowOnError>({ url: '/openapi.json', ...options });
