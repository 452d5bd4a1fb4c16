from rest_framework import serializers

from .models import Keeper


class KeeperSerializer(serializers.ModelSerializer):
    class Meta:
        model = Keeper
        fields = ["id", "wallet", "passport_id", "score", "location", "verified"]


class CandidateSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="passport_id")
    name = serializers.CharField(source="passport_profile.display_name", allow_null=True)
    about = serializers.CharField(source="passport_profile.bio", allow_null=True)
    wallet = serializers.CharField(source="main_wallet")
    score = serializers.IntegerField()
    known = serializers.SerializerMethodField()

    def get_known(self, obj):
        return Keeper.objects.filter(passport_id=obj["passport_id"]).exists()
