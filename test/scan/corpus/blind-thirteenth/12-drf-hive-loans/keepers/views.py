from itertools import islice

from rest_framework.decorators import api_view, permission_classes
from rest_framework.generics import ListAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from .clients import TalentClient, TalentUnavailable
from .models import Keeper
from .serializers import CandidateSerializer, KeeperSerializer
from .services import loan_decision


class KeeperList(ListAPIView):
    queryset = Keeper.objects.select_related("user")
    serializer_class = KeeperSerializer


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def candidates(request):
    keyword = request.query_params.get("q", "").strip()
    if len(keyword) < 3:
        return Response({"detail": "at least three letters"}, status=400)
    try:
        found = list(islice(TalentClient().search(keyword), 40))
    except TalentUnavailable as exc:
        return Response({"detail": str(exc)}, status=503)
    return Response(CandidateSerializer(found, many=True).data)


@api_view(["GET"])
@permission_classes([IsAuthenticated])
def my_limit(request):
    return Response(loan_decision(request.user.keeper))
