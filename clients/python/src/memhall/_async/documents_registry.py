"""Profiles and schemas of a tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Mapping, Optional, cast

from .. import _models as models
from .client_area import each_item

if TYPE_CHECKING:
    from .documents import AsyncDocumentsClient


class AsyncProfiles:
    """Profiles of the tenant. Registering them needs the role admin."""

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def put(
        self, profile_id: str, profile: Mapping[str, Any], *, if_match: Optional[str] = None, create: bool = False
    ) -> models.Profile:
        """Replaces the profile only if its ETag is ``if_match``, or registers it only if there is none, if they say so."""
        headers = {"If-Match": if_match, "If-None-Match": "*" if create else None}
        call = self._client._call("profiles.put", {"profile_id": profile_id}, body=profile, headers=headers)
        return cast(models.Profile, await self._client._answer(call))

    async def get(self, profile_id: str) -> Optional[models.Profile]:
        """Returns ``None`` if there is no such profile."""
        call = self._client._call("profiles.get", {"profile_id": profile_id})
        return cast(Optional[models.Profile], await self._client._find(call, "PROFILE_NOT_FOUND"))

    async def list(self) -> models.ProfileList:
        return cast(models.ProfileList, await self._client._answer(self._client._call("profiles.list")))


class AsyncSchemas:
    """JSON Schemas that documents are validated against. Registering them needs the role admin."""

    def __init__(self, client: AsyncDocumentsClient) -> None:
        self._client = client

    async def put(self, schema_id: str, version: str, schema: Mapping[str, Any]) -> models.Schema:
        """Registers a version. Registering the same schema again changes nothing; a different one is rejected."""
        call = self._client._call("schemas.put", {"schema_id": schema_id, "version": version}, body=schema)
        return cast(models.Schema, await self._client._answer(call))

    async def get(self, schema_id: str, version: str) -> Optional[models.Schema]:
        """Returns ``None`` if the version is not registered."""
        call = self._client._call("schemas.get", {"schema_id": schema_id, "version": version})
        return cast(Optional[models.Schema], await self._client._find(call))

    async def list(self, *, limit: Optional[int] = None, cursor: Optional[str] = None) -> models.SchemaList:
        """Returns one page, ordered by id and version."""
        call = self._client._call("schemas.list", query={"limit": limit, "cursor": cursor})
        return cast(models.SchemaList, await self._client._answer(call))

    def each(self, *, limit: Optional[int] = None) -> AsyncIterator[Any]:
        """Yields all of them. ``limit`` is the size of a page."""
        return each_item(lambda cursor: self.list(limit=limit, cursor=cursor), "schemas")
