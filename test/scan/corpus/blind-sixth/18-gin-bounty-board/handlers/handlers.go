package handlers

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"bountyboard/bounty"
	"bountyboard/talent"
)

type Handlers struct {
	talent *talent.Service
	store  *bounty.Store
}

func New(t *talent.Service, s *bounty.Store) *Handlers { return &Handlers{t, s} }

// RequirePassport puts the hunter of the header into the context.
func (h *Handlers) RequirePassport() gin.HandlerFunc {
	return func(c *gin.Context) {
		hunter, err := h.talent.Hunter(c, c.GetHeader("X-Wallet"))
		if err != nil {
			c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": "passport not available"})
			return
		}
		c.Set("hunter", hunter)
		c.Set("score", hunter.Score)
		c.Next()
	}
}

func (h *Handlers) ListBounties(c *gin.Context) {
	c.JSON(http.StatusOK, gin.H{"bounties": h.store.List()})
}

func (h *Handlers) CreateBounty(c *gin.Context) {
	var b bounty.Bounty
	if err := c.ShouldBindJSON(&b); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusCreated, h.store.Add(b))
}

func (h *Handlers) Apply(c *gin.Context) {
	id, _ := strconv.Atoi(c.Param("id"))
	b, err := h.store.Get(id)
	if err != nil {
		c.Status(http.StatusNotFound)
		return
	}
	hunter := c.MustGet("hunter").(talent.Hunter)
	if !hunter.Human || c.GetFloat64("score") < b.MinScore {
		c.JSON(http.StatusForbidden, gin.H{"error": "score too low", "score": hunter.Score, "needed": b.MinScore})
		return
	}
	h.store.Apply(b.ID, hunter.Name)
	c.JSON(http.StatusOK, gin.H{"id": b.ID, "passport_id": hunter.PassportID})
}

func (h *Handlers) Hunter(c *gin.Context) {
	hunter, err := h.talent.Hunter(c, c.Param("wallet"))
	if err != nil {
		c.JSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusOK, hunter)
}

func (h *Handlers) Hunters(c *gin.Context) {
	list, err := h.talent.Top(c, c.Query("q"))
	if err != nil {
		c.JSON(http.StatusOK, gin.H{"hunters": []talent.Hunter{}, "total": 0})
		return
	}
	c.JSON(http.StatusOK, gin.H{"hunters": list, "total": len(list)})
}
